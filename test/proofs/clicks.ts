/**
 * Every request_id is sent to the service exactly once, in each mode, whatever the customers do:
 * double clicks, reloads, second tabs, second relays, replays and another way to pay.
 */
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { bearer, createWorld, openIntent } from '../suite/support/world.js';
import { counts, keepAlive, type Proof, type Section } from './proof.js';

type Mode = (world: ReturnType<typeof createWorld>) => Promise<object>;
const modes: Record<string, Mode> = {
  token: async (world) => ({
    order_token: (
      await world.ask('/v1/order-tokens', { ...openIntent, customer_ref_id: 'c' }, bearer)
    ).body.order_token,
  }),
  catalogue: () => Promise.resolve({ sku: 'tee', quantity: 2 }),
  open: () => Promise.resolve(openIntent),
};

export const clicks: Proof = {
  sizes: { orders: 1000, seed: 1 },
  small: { orders: 60, seed: 1 },
  run: ({ orders = 0, seed = 1 }) =>
    keepAlive(async () => {
      let held = true;
      const sections: Section[] = [];
      for (const [name, mode] of Object.entries(modes)) {
        const ledger = memoryLedger();
        const world = createWorld({
          ledger,
          config: {
            service: {
              base_url: 'https://service.example',
              not_found_codes: ['4040'],
              timeout_ms: 300,
              queries_per_second: 10_000,
            },
          },
        });
        const secondRelay = createWorld({ ledger, sandbox: world.sandbox });
        let expected = 0;
        let current = 0;
        const scenario = async (index: number): Promise<void> => {
          const intent = await mode(world);
          const attempt = crypto.randomUUID();
          const pay = (at = world, change: object = {}): ReturnType<typeof world.ask> =>
            at.ask('/v1/pay', { ...intent, attempt, option: 'qr', ...change });
          // with an order token, each tab has an attempt of its own
          const secondTab = name === 'token' ? { attempt: crypto.randomUUID() } : {};
          const first = await Promise.all([
            pay(),
            pay(),
            pay(),
            pay(secondRelay, secondTab),
            pay(secondRelay, { option: 'card', ...secondTab }),
          ]);
          await world.ask('/v1/checkout', { ...intent, attempt });
          const order = first[0]?.body.order;
          if (!order) throw new Error(JSON.stringify(first[0]?.body));
          expected++;
          let currentId = order.request_id;
          if (index % 2 === 0) {
            const replaces = { request_id: order.request_id, order_key: order.order_key };
            const switched = await Promise.all([
              pay(world, { option: 'card', replaces }),
              pay(secondRelay, { option: 'card', replaces, ...secondTab }),
            ]);
            expected++;
            currentId = switched[0]?.body.order?.request_id ?? '';
          }
          if (index % 3 === 0) {
            const row = world.sandbox.orders.byRequest(currentId);
            if (row) world.sandbox.orders.act(row, 'confirm');
          }
          const replays = await Promise.all([pay(), pay(secondRelay, secondTab)]);
          if (replays.every(({ body }) => body.order?.request_id === currentId)) current++;
        };
        world.sandbox.faults.chaos(0.2, seed);
        for (let from = 0; from < orders; from += 20)
          await Promise.all(
            Array.from({ length: Math.min(20, orders - from) }, (_, offset) =>
              scenario(from + offset),
            ),
          );
        const sent = world.pays().map(({ request_id }) => request_id);
        const twice = sent.length - new Set(sent).size;
        sections.push({
          name,
          figures: [
            ...counts({ 'expected pays': expected, sent: sent.length, 'sent twice': twice }),
            { name: 'one current order', value: current, of: orders },
          ],
        });
        held &&= twice === 0 && sent.length === expected && current === orders;
      }
      return { held, sections };
    }),
};
