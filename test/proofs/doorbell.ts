/**
 * Doorbells forged, doubled, shuffled and dropped: they change when the relay looks, never what it
 * believes.
 */
import { systemClock } from '../../relay/runtime.js';
import { createWorld, openIntent, SECRETS, type World } from '../support/world.js';
import { chance, each, counts, kept, percentage, sleep, type Proof } from './proof.js';

type Bell = { path: string; body: string };

/** How often the schedule is let run at the end, and the pause after each time. */
const LAST_ROUNDS = 200;
const ROUND_PAUSE_MS = 50;
SECRETS.REQUEST_ID_KEY = 'request-id-key-of-the-doorbell-proof';

/**
 * A world whose clock can be moved on, and which never lacks turns to ask. Both worlds have one
 * key, so the same attempt has the same request_id in both.
 */
function worldWith(notify: (url: string, init: RequestInit) => Promise<unknown>): {
  world: World;
  later(ms: number): void;
} {
  let shift = 0;
  const world = createWorld({
    config: {
      request_id_key: { env: 'REQUEST_ID_KEY' },
      service: {
        base_url: 'https://service.example',
        not_found_codes: ['4040'],
        timeout_ms: 20_000,
        queries_per_second: 1_000_000,
      },
    },
    clock: {
      now: () => Date.now() + shift,
      elapsed: () => performance.now() + shift,
      sleep: systemClock.sleep,
    },
    sandboxOptions: { notify },
  });
  return { world, later: (ms) => void (shift += ms) };
}

export const doorbell: Proof = {
  sizes: { bells: 200_000, orders: 2000, seed: 1 },
  small: { bells: 4000, orders: 100, seed: 1 },
  run: ({ bells = 0, orders = 0, seed = 1 }) =>
    kept(async () => {
      const luck = chance(seed);
      const real: Bell[] = [];
      const loud = worldWith(
        async (url, init) =>
          void real.push({
            path: new URL(url).pathname.replace('/pay/', '/'),
            body: String(init.body),
          }),
      );
      const silent = worldWith(async () => {});
      const attempts = Array.from({ length: orders }, (): string => crypto.randomUUID());
      const place = async ({ world }: typeof loud): Promise<string[]> => {
        const placed: string[] = [];
        await each(orders, 16, async (index) => {
          const pay = { ...openIntent, attempt: attempts[index], option: 'card' };
          placed[index] = (await world.ask('/v1/pay', pay)).body.order?.request_id ?? '';
        });
        return placed;
      };
      const ids = await place(loud);
      const others = await place(silent);
      const differing = ids.filter((id, index) => id === '' || id !== others[index]).length;

      const statusOf = (world: World, id: string): number | undefined =>
        world.sandbox.orders.byRequest(id)?.status;
      /** Every status that the service really had, by order: a row may show no other. */
      const had = new Map(ids.map((id) => [id, new Set([11])]));
      const capabilities = ids.map((id) =>
        String(loud.world.sandbox.orders.byRequest(id)?.fields.notify_url).replace(
          /^.*\/pay\//,
          '/',
        ),
      );
      let unjustified = 0;
      let rung = 0;
      let honest = 0;
      let notAcknowledged = 0;
      const ring = async ({ body, path }: Bell): Promise<void> => {
        rung++;
        const response = await loud.world.relay.fetch(
          new Request(`https://shop.example${path}`, {
            method: luck.pick(['POST', 'PUT']),
            headers: { 'content-type': 'application/json' },
            body,
          }),
        );
        if (response.status !== 200) notAcknowledged++;
      };
      const lie = (): string =>
        JSON.stringify({
          status: luck.pick([20, 30, 40, 77]),
          code: 200,
          order_amount: '0.01',
          request_id: luck.pick(ids),
        });
      const check = async (id: string): Promise<void> => {
        const row = await loud.world.ledger.order(id);
        if (
          row &&
          (!had.get(id)?.has(row.status ?? 11) ||
            (row.outcome === 'succeeded' && !had.get(id)?.has(20)))
        )
          unjustified++;
      };
      while (rung < bells) {
        if (luck.is(0.02)) {
          const id = luck.pick(ids);
          const status = luck.pick([11, 20, 30, 40, 77]);
          // only success is final, also at the service
          if (statusOf(loud.world, id) !== 20) {
            had.get(id)?.add(status);
            for (const { world } of [loud, silent]) {
              const row = world.sandbox.orders.byRequest(id);
              if (row) world.sandbox.orders.setStatus(row, status);
            }
          }
        }
        const index = luck.whole(orders);
        const capability = capabilities[index] ?? '';
        switch (luck.whole(6)) {
          case 0:
            await ring({ path: `/v1/notify/${luck.pick(ids)}.m.${'A'.repeat(43)}`, body: lie() });
            break;
          case 1: {
            // another order's capability
            const [, mac] = /(\.[^.]+\.[^.]+)$/.exec(capability) ?? [];
            await ring({ path: `/v1/notify/${luck.pick(ids)}${mac ?? ''}`, body: lie() });
            break;
          }
          case 2:
            await ring({ path: capability, body: luck.pick(['', '{', lie()]) });
            honest++;
            break;
          default: {
            // the service's own, out of order, some twice, some never
            const at = luck.whole(real.length);
            const bell =
              real.length > 0 && luck.is(0.8) ? real[at] : { path: capability, body: lie() };
            if (luck.is(0.5)) real.splice(at, 1);
            if (bell) await ring(bell);
            honest++;
          }
        }
        if (rung % 50 === 0) {
          await sleep(0);
          await check(ids[index] ?? '');
        }
      }
      // what is left, the schedule finds in both worlds
      const isSettled = async ({ world }: typeof loud): Promise<boolean> => {
        const rows = await Promise.all(ids.map((id) => world.ledger.order(id)));
        return rows.every((row, index) => row?.status === statusOf(loud.world, ids[index] ?? ''));
      };
      for (const each of [loud, silent])
        for (let round = 0; round < LAST_ROUNDS && !(await isSettled(each)); round++) {
          each.later(60_000);
          await each.world.relay.tick();
          // a tick starts its questions and does not wait for their answers
          await sleep(ROUND_PAUSE_MS);
        }
      let different = 0;
      let moved = 0;
      for (const id of ids) {
        const [a, b] = await Promise.all([loud, silent].map(({ world }) => world.ledger.order(id)));
        await check(id);
        if (a?.status !== b?.status || a?.status !== statusOf(loud.world, id)) different++;
        if (a?.status !== 11) moved++;
      }
      return {
        held:
          unjustified === 0 &&
          different === 0 &&
          differing === 0 &&
          notAcknowledged === 0 &&
          honest >= 0.2 * rung &&
          moved > 0,
        sections: [
          {
            figures: [
              { name: 'bells', value: rung },
              percentage('with a true capability', honest, rung),
              { name: 'orders moved', value: moved, of: orders },
            ],
          },
          {
            figures: counts({
              'transitions without a query': unjustified,
              'end states other than with none delivered': different,
              'not acknowledged': notAcknowledged,
              'request_ids that differ between the worlds': differing,
            }),
          },
        ],
      };
    }),
};
