/**
 * Clicks, reloads, second tabs and relays, lost answers, replays and switches, in each mode: every
 * request_id is sent exactly once.
 */
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { bearer, createWorld, openIntent } from '../support/world.js';
import { counts, kept, type Proof, type Section } from './proof.js';

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
    kept(async () => {
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
        const other = createWorld({ ledger, sandbox: world.sandbox });
        let expected = 0;
        let current = 0;
        const scenario = async (index: number): Promise<void> => {
          const intent = await mode(world);
          const attempt = crypto.randomUUID();
          const pay = (at = world, change: object = {}): ReturnType<typeof world.ask> =>
            at.ask('/v1/pay', { ...intent, attempt, option: 'qr', ...change });
          // a second tab of a token has an attempt of its own
          const second = name === 'token' ? { attempt: crypto.randomUUID() } : {};
          const first = await Promise.all([
            pay(),
            pay(),
            pay(),
            pay(other, second),
            pay(other, { option: 'card', ...second }),
          ]);
          await world.ask('/v1/checkout', { ...intent, attempt });
          const order = first[0]?.body.order;
          if (!order) throw new Error(JSON.stringify(first[0]?.body));
          expected++;
          let standing = order.request_id;
          if (index % 2 === 0) {
            const replaces = { request_id: order.request_id, order_key: order.order_key };
            const switched = await Promise.all([
              pay(world, { option: 'card', replaces }),
              pay(other, { option: 'card', replaces, ...second }),
            ]);
            expected++;
            standing = switched[0]?.body.order?.request_id ?? '';
          }
          if (index % 3 === 0) {
            const row = world.sandbox.orders.byRequest(standing);
            if (row) world.sandbox.orders.act(row, 'confirm');
          }
          const replays = await Promise.all([pay(), pay(other, second)]);
          if (replays.every(({ body }) => body.order?.request_id === standing)) current++;
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
