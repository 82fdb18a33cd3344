/** A shop's backend that uses nothing but fetch and WebCrypto. */
import { fetchOrder, receiveEvents, reconcile, signOrderToken } from 'pay-checkout/shop';

/** Handled events in memory; one transaction at a time, and none leaves half of its work. */
function memoryStore() {
  const committed = new Map();
  let last = Promise.resolve();
  const rowsOf = (tx, { epoch, intent_id }) =>
    [...committed.values(), ...tx].filter(
      (row) => row.epoch === epoch && row.intent_id === intent_id,
    );
  const transaction = (run) => {
    const result = last.then(async () => {
      const tx = [];
      const value = await run(tx);
      for (const row of tx) committed.set(row.event_id, row);
      return value;
    });
    last = result.catch(() => {});
    return result;
  };
  return {
    transaction,
    add: async (tx, row) => {
      if (committed.has(row.event_id)) return false;
      tx.push(row);
      return true;
    },
    lastSequence: async (tx, place) =>
      Math.max(0, ...rowsOf(tx, place).map(({ sequence }) => sequence)),
  };
}

/** @returns a handler of the paths below `/shop` */
export function createShop({ relay, secret_key, token_key, events_secret }) {
  const handled = [];
  const refused = [];
  let failures = 0;
  let cursor = null;
  const store = memoryStore();
  const handle = async ({ data, id, type }) => {
    const event = { id, type, intent_id: data.intent_id };
    if (failures > 0) {
      failures--;
      refused.push(event);
      throw new Error('the shop cannot handle an event now');
    }
    handled.push(event);
  };
  const receive = receiveEvents({ secrets: events_secret, store, handle });
  const access = { relay, secret_key };
  const routes = {
    '/shop/hooks': (request) => receive(request),
    '/shop/token': async (request) => {
      const claims = { aud: relay, ...(await request.json()) };
      return Response.json({ order_token: await signOrderToken(claims, token_key) });
    },
    '/shop/order': async (request) => {
      const { expect, intent_id } = await request.json();
      const found = fetchOrder(access, { intent_id }, { expect });
      return Response.json(await found.catch(({ code, status }) => ({ code, status })));
    },
    '/shop/reconcile': async () => {
      const place = { load: async () => cursor, save: async (next) => void (cursor = next) };
      return Response.json({ read: await reconcile({ ...access, cursor: place, store, handle }) });
    },
    '/shop/fail': async (request) => {
      ({ failures } = await request.json());
      return new Response();
    },
    '/shop/handled': async () => Response.json(handled),
    '/shop/refused': async () => Response.json(refused),
  };
  return (request) => {
    const route = routes[new URL(request.url).pathname];
    return route ? route(request) : Promise.resolve(new Response(null, { status: 404 }));
  };
}
