/**
 * SIGKILL throughout, one fifth of all calls faulty, a service that does not deduplicate: nothing
 * is sent twice, nothing is lost.
 * As `resend` with two relays on one ledger that send lost requests again: the service takes none
 * twice.
 */
import { openLedger } from '../../relay/node/open-ledger.js';
import { openIntent } from '../support/world.js';
import { getJson, post, startSandbox, workshop } from './processes.js';
import { counts, each, percentage, sleep, type Proof } from './proof.js';

const FAULTY = 0.2;
const AT_ONCE = 32;
/** How long after the last order the ledger may take to know everything. */
const QUIET_MS = 60_000;

type Named = { request_id: string; intent_id: string };
type Told = Named & { attempt: string };

async function filter<T>(from: readonly T[], holds: (item: T) => Promise<boolean>): Promise<T[]> {
  const found: T[] = [];
  for (const item of from) if (await holds(item)) found.push(item);
  return found;
}

export const kill: Proof = {
  sizes: { orders: 20_000, kills: 200, seed: 1 },
  small: { orders: 1000, kills: 10, seed: 1 },
  run: async ({
    orders = 0,
    kills = 0,
    relays: count = 1,
    resend_after_s: resendAfterS = 0,
    seed = 1,
  }) => {
    const sandbox = await startSandbox();
    const shop = await workshop(
      sandbox.url,
      { limits: { per_intent_per_minute: 10_000 } },
      { timeout_ms: 1000, queries_per_second: 500, resend_after_s: resendAfterS || null },
    );
    const relays = await Promise.all(
      Array.from({ length: count }, (_, index) => shop.relay(undefined, index)),
    );
    let next = 0;
    const anyRelay = (): string => relays[next++ % count]?.url ?? '';
    await post(`${sandbox.url}/control/chaos`, { rate: FAULTY, seed });
    let begun = 0;
    /** What each customer was answered. */
    const told: Told[] = [];
    let killed = 0;
    const customer = async (): Promise<void> => {
      begun++;
      const attempt = crypto.randomUUID();
      // a customer whose page gets no answer tries again, as the element does
      for (let tries = 0; tries < 60; tries++) {
        const pay = { ...openIntent, attempt, option: 'card' };
        const answer = await post(`${anyRelay()}/v1/pay`, pay);
        if (answer) return void told.push({ attempt, ...(answer.order as Named) });
        await sleep(100);
      }
    };
    const killer = async (): Promise<void> => {
      const every = orders / (kills + 1);
      for (let nth = 1; nth <= kills; nth++) {
        while (begun < nth * every) await sleep(5);
        const victim = nth % count;
        relays[victim]?.child.kill('SIGKILL');
        killed++;
        relays[victim] = await shop.relay(undefined, victim);
      }
    };
    await Promise.all([each(orders, AT_ONCE, customer), killer()]);
    await post(`${sandbox.url}/control/chaos`, { rate: 0 });

    const there = await getJson<{ request_id: string }[]>(`${sandbox.url}/control/orders`);
    const known = new Set(there.map(({ request_id }) => request_id));
    const ledger = await openLedger(shop.ledger);
    const isLost = async (id: string): Promise<boolean> => {
      const row = await ledger.order(id);
      return !row || row.order_no === null || row.status === null;
    };
    /** Under way, or lost and not sent again yet. */
    const isUnsettled = async ({ request_id }: Told): Promise<boolean> => {
      const row = await ledger.order(request_id);
      return !row || row.sending === 'claimed' || row.sending === 'lost';
    };
    let lost = [...known];
    let unsettled = resendAfterS > 0 ? told : [];
    for (
      const end = Date.now() + QUIET_MS;
      lost.length + unsettled.length > 0 && Date.now() < end;
      await sleep(1000)
    ) {
      lost = await filter(lost, isLost);
      unsettled = await filter(unsettled, isUnsettled);
    }
    const crossed = await filter(told, async ({ attempt, intent_id, request_id }) => {
      const row = await ledger.order(request_id);
      return row?.intent_id !== intent_id || (await ledger.intentOf(attempt)) !== intent_id;
    });
    const shared = told.length - new Set(told.map(({ request_id }) => request_id)).size;
    const calls = await getJson<{ operation: string; body: { request_id: string } }[]>(
      `${sandbox.url}/control/calls`,
    );
    const pays = calls
      .filter(({ operation }) => operation === 'pay')
      .map(({ body }) => body.request_id);
    const twice = pays.length - new Set(pays).size;
    // what was sent again in the quiet counts too
    const atLast = await getJson<{ request_id: string }[]>(`${sandbox.url}/control/orders`);
    const doubled = atLast.length - new Set(atLast.map(({ request_id }) => request_id)).size;
    await ledger.close();
    for (const relay of relays) relay.child.kill('SIGKILL');
    sandbox.child.kill('SIGKILL');
    shop.remove();
    return {
      held:
        (twice === 0 || resendAfterS > 0) &&
        lost.length === 0 &&
        unsettled.length === 0 &&
        crossed.length === 0 &&
        shared === 0 &&
        doubled === 0 &&
        pays.length >= 0.2 * orders &&
        killed === kills,
      sections: [
        {
          figures: [
            ...counts({ answered: told.length, kills: killed, 'pays sent': pays.length }),
            percentage('acceptance', pays.length, orders),
          ],
        },
        {
          figures: counts({
            'at the service': atLast.length,
            doubled,
            'request_ids sent twice': twice,
            lost: lost.length,
          }),
        },
        {
          figures: counts({
            'orders of another customer': crossed.length + shared,
            'never settled': unsettled.length,
          }),
        },
      ],
    };
  },
};

export const resend: Proof = {
  sizes: { orders: 4000, kills: 40, relays: 2, resend_after_s: 2, seed: 1 },
  small: { orders: 600, kills: 8, relays: 2, resend_after_s: 2, seed: 1 },
  run: kill.run,
};
