/**
 * Webhooks of the order service that are forged, repeated, reordered or dropped: they may change
 * when the relay queries the service, but never the status that it records.
 */
import { systemClock } from '../../relay/runtime.js';
import { sleep } from '../suite/support/wait.js';
import { createWorld, openIntent, SECRETS, type World } from '../suite/support/world.js';
import { createRandom, each, counts, keepAlive, percentage, type Proof } from './proof.js';

type Webhook = { path: string; body: string };

/** How often the relay ticks at the end at most, and the pause after each tick. */
const MAX_LAST_ROUNDS = 200;
const ROUND_PAUSE_MS = 50;
SECRETS.REQUEST_ID_KEY = 'request-id-key-of-the-webhook-proof';

/**
 * A world with a clock that the proof can advance, and no limit on queries. All worlds have the
 * same key, so an attempt has the same request_id in each of them.
 */
function worldWith(notify: (url: string, init: RequestInit) => Promise<unknown>): {
  world: World;
  advance(ms: number): void;
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
  return { world, advance: (ms) => void (shift += ms) };
}

export const webhook: Proof = {
  sizes: { webhooks: 200_000, orders: 2000, seed: 1 },
  small: { webhooks: 4000, orders: 100, seed: 1 },
  run: ({ webhooks = 0, orders = 0, seed = 1 }) =>
    keepAlive(async () => {
      const random = createRandom(seed);
      const undelivered: Webhook[] = [];
      const notified = worldWith(
        async (url, init) =>
          void undelivered.push({
            path: new URL(url).pathname.replace('/pay/', '/'),
            body: String(init.body),
          }),
      );
      const silent = worldWith(async () => {});
      const attempts = Array.from({ length: orders }, (): string => crypto.randomUUID());
      const place = async ({ world }: typeof notified): Promise<string[]> => {
        const placed: string[] = [];
        await each(orders, 16, async (index) => {
          const pay = { ...openIntent, attempt: attempts[index], option: 'card' };
          placed[index] = (await world.ask('/v1/pay', pay)).body.order?.request_id ?? '';
        });
        return placed;
      };
      const ids = await place(notified);
      const silentIds = await place(silent);
      const differentIds = ids.filter((id, index) => id === '' || id !== silentIds[index]).length;

      const statusOf = (world: World, id: string): number | undefined =>
        world.sandbox.orders.byRequest(id)?.status;
      /** Every status that each order really had at the service. */
      const realStatuses = new Map(ids.map((id) => [id, new Set([11])]));
      const capabilities = ids.map((id) =>
        String(notified.world.sandbox.orders.byRequest(id)?.fields.notify_url).replace(
          /^.*\/pay\//,
          '/',
        ),
      );
      let unjustified = 0;
      let delivered = 0;
      let genuine = 0;
      let notAcknowledged = 0;
      const deliver = async ({ body, path }: Webhook): Promise<void> => {
        delivered++;
        const response = await notified.world.relay.fetch(
          new Request(`https://shop.example${path}`, {
            method: random.pick(['POST', 'PUT']),
            headers: { 'content-type': 'application/json' },
            body,
          }),
        );
        if (response.status !== 200) notAcknowledged++;
      };
      const forgedBody = (): string =>
        JSON.stringify({
          status: random.pick([20, 30, 40, 77]),
          code: 200,
          order_amount: '0.01',
          request_id: random.pick(ids),
        });
      const check = async (id: string): Promise<void> => {
        const row = await notified.world.ledger.order(id);
        if (
          row &&
          (!realStatuses.get(id)?.has(row.status ?? 11) ||
            (row.outcome === 'succeeded' && !realStatuses.get(id)?.has(20)))
        )
          unjustified++;
      };
      while (delivered < webhooks) {
        if (random.chance(0.02)) {
          const id = random.pick(ids);
          const status = random.pick([11, 20, 30, 40, 77]);
          // the real service does not change an order that succeeded
          if (statusOf(notified.world, id) !== 20) {
            realStatuses.get(id)?.add(status);
            for (const { world } of [notified, silent]) {
              const row = world.sandbox.orders.byRequest(id);
              if (row) world.sandbox.orders.setStatus(row, status);
            }
          }
        }
        const index = random.integer(orders);
        const capability = capabilities[index] ?? '';
        switch (random.integer(6)) {
          case 0:
            await deliver({
              path: `/v1/notify/${random.pick(ids)}.m.${'A'.repeat(43)}`,
              body: forgedBody(),
            });
            break;
          case 1: {
            // a capability that belongs to another order
            const [, suffix] = /(\.[^.]+\.[^.]+)$/.exec(capability) ?? [];
            await deliver({
              path: `/v1/notify/${random.pick(ids)}${suffix ?? ''}`,
              body: forgedBody(),
            });
            break;
          }
          case 2:
            await deliver({ path: capability, body: random.pick(['', '{', forgedBody()]) });
            genuine++;
            break;
          default: {
            // webhooks of the sandbox: reordered, some repeated, some dropped
            const at = random.integer(undelivered.length);
            const next =
              undelivered.length > 0 && random.chance(0.8)
                ? undelivered[at]
                : { path: capability, body: forgedBody() };
            if (random.chance(0.5)) undelivered.splice(at, 1);
            if (next) await deliver(next);
            genuine++;
          }
        }
        if (delivered % 50 === 0) {
          await sleep(0);
          await check(ids[index] ?? '');
        }
      }
      // in both worlds the schedule finds the changes that no webhook reported
      const isSettled = async ({ world }: typeof notified): Promise<boolean> => {
        const rows = await Promise.all(ids.map((id) => world.ledger.order(id)));
        return rows.every(
          (row, index) => row?.status === statusOf(notified.world, ids[index] ?? ''),
        );
      };
      for (const side of [notified, silent])
        for (let round = 0; round < MAX_LAST_ROUNDS && !(await isSettled(side)); round++) {
          side.advance(60_000);
          await side.world.relay.tick();
          // a tick starts its queries and does not wait for their answers
          await sleep(ROUND_PAUSE_MS);
        }
      let different = 0;
      let moved = 0;
      for (const id of ids) {
        const [a, b] = await Promise.all(
          [notified, silent].map(({ world }) => world.ledger.order(id)),
        );
        await check(id);
        if (a?.status !== b?.status || a?.status !== statusOf(notified.world, id)) different++;
        if (a?.status !== 11) moved++;
      }
      return {
        held:
          unjustified === 0 &&
          different === 0 &&
          differentIds === 0 &&
          notAcknowledged === 0 &&
          genuine >= 0.2 * delivered &&
          moved > 0,
        sections: [
          {
            figures: [
              { name: 'webhooks', value: delivered },
              percentage('with a true capability', genuine, delivered),
              { name: 'orders moved', value: moved, of: orders },
            ],
          },
          {
            figures: counts({
              'transitions without a query': unjustified,
              'end states that differ from those without webhooks': different,
              'not acknowledged': notAcknowledged,
              'request_ids that differ between the worlds': differentIds,
            }),
          },
        ],
      };
    }),
};
