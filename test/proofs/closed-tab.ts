/**
 * Each customer closes the tab right after paying, a part of the webhooks is lost, and the shop is
 * killed again and again. `receiveEvents` and `reconcile` complete every paid order once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { signOrderToken } from '../../widget/shop/index.js';
import { freePort } from '../suite/support/free-port.js';
import { sleep, until } from '../suite/support/wait.js';
import { SECRETS, testConfig } from '../suite/support/world.js';
import { createRelayFolder, post, start, startSandbox, type Running } from './processes.js';
import { counts, createRandom, each, percentage, type Proof, type Result } from './proof.js';

/** Long, because the relay queries an order that nobody watches at growing intervals. */
const MAX_SETTLE_MS = 180_000;
/** Every eleventh customer does not pay; such an order must not be completed. */
const UNPAID_EVERY = 11;
const AT_ONCE = 12;

export const closedTab: Proof = {
  sizes: { orders: 1000, kills: 20, lost_percent: 30, seed: 1 },
  small: { orders: 60, kills: 4, lost_percent: 30, seed: 1 },
  run: async ({ kills = 0, lost_percent = 0, orders = 0, seed = 1 }) => {
    const random = createRandom(seed);
    const port = await freePort();
    const sandbox = await startSandbox();
    const folder = await createRelayFolder(
      sandbox.url,
      {
        shop_events: { url: `http://localhost:${port}/hooks`, secret: { env: 'SECRET' } },
        limits: { per_ip_per_minute: 1_000_000, new_intents_per_ip_per_hour: 1_000_000 },
      },
      { queries_per_second: 200 },
    );
    const relay = await folder.relay();
    const file = join(folder.folder, 'shop.db');
    const startShop = (): Promise<Running> =>
      start(
        'test/proofs/closed-tab-shop.ts',
        [String(port), file, relay.url, String(lost_percent)],
        /shop on (\S+) is ready/,
      );
    let shop = await startShop();
    const database = new DatabaseSync(file);
    const completed = (): { intent_id: string; request_id: string }[] =>
      database.prepare('select * from completed').all() as ReturnType<typeof completed>;
    const paid = new Map<string, string>();

    const buy = async (index: number): Promise<void> => {
      const jti = `order-${String(index).padStart(6, '0')}`;
      const order_token = await signOrderToken(
        {
          aud: testConfig.public_url,
          jti,
          amount: '12.50',
          currency: 'USD',
          product_name: 'A tree',
          customer_ref_id: `customer-${index}`,
        },
        { kid: 'k1', secret: SECRETS.TOKEN ?? '' },
      );
      const pay = { order_token, attempt: crypto.randomUUID(), option: 'qr' };
      const answer = await post(`${relay.url}/v1/pay`, pay);
      const id = (answer?.order as { request_id?: string } | undefined)?.request_id;
      if (id === undefined || index % UNPAID_EVERY === UNPAID_EVERY - 1) return;
      // the page never asks again: only the relay learns of the payment
      await until(
        async () =>
          (await post(`${sandbox.url}/control/orders/${id}`, { action: 'confirm' })) !== null,
        `${jti} to be paid`,
      );
      paid.set(jti, id);
    };
    let killed = 0;
    const killer = async (): Promise<void> => {
      for (let count = 1; count <= kills; count++) {
        const share = (orders * count) / (kills + 1);
        await until(() => completed().length >= share, `kill ${count}`, MAX_SETTLE_MS);
        await sleep(random.integer(40));
        shop.child.kill('SIGKILL');
        killed++;
        shop = await startShop();
      }
    };
    try {
      const customers = orders + Math.floor((orders - 1) / (UNPAID_EVERY - 1));
      await Promise.all([each(customers, AT_ONCE, buy), killer()]);
      const isMissing = (): boolean => {
        const found = new Set(completed().map(({ intent_id }) => intent_id));
        return [...paid.keys()].some((intent) => !found.has(intent));
      };
      for (const end = Date.now() + MAX_SETTLE_MS; isMissing() && Date.now() < end;)
        await sleep(200);
      // a shop that starts once more must find nothing to do
      shop.child.kill('SIGKILL');
      shop = await startShop();
      await until(() => /ready/.test(shop.output()), 'the last start');
      await sleep(2000);
      const { taken } = database.prepare('select taken from stock').get() as { taken: number };
      const notes = readFileSync(`${file}.notes`, 'utf8').trim().split('\n');
      return judge({ completed: completed(), killed, kills, notes, orders, paid, taken });
    } finally {
      database.close();
      for (const { child } of [shop, relay, sandbox]) child.kill('SIGKILL');
      folder.remove();
    }
  },
};

type Facts = {
  orders: number;
  kills: number;
  killed: number;
  /** Request ids of the paid orders by intent. */
  paid: ReadonlyMap<string, string>;
  completed: readonly { intent_id: string; request_id: string }[];
  /** What the shop's second write counted. */
  taken: number;
  notes: readonly string[];
};

function judge({ completed, killed, kills, notes, orders, paid, taken }: Facts): Result {
  const found = new Map(completed.map(({ intent_id, request_id }) => [intent_id, request_id]));
  const missing = [...paid.keys()].filter((intent) => !found.has(intent)).length;
  const wrong = [...found].filter(([intent, id]) => paid.get(intent) !== id).length;
  const twice = completed.length - found.size;
  const half = Math.abs(taken - completed.length);
  const begun = notes.filter((note) => note.startsWith('begun ')).length;
  const lost = new Set(notes.filter((note) => note.startsWith('lost '))).size;
  return {
    held: missing + wrong + twice + half === 0 && killed === kills && paid.size === orders,
    sections: [
      {
        figures: [
          { name: 'paid and left', value: paid.size, of: orders },
          percentage('acceptance', paid.size, orders),
          ...counts({
            'kills of the shop': killed,
            'events lost': lost,
            'transactions that a kill interrupted': begun - completed.length,
          }),
        ],
      },
      {
        figures: [
          { name: 'completed', value: found.size, of: paid.size },
          ...counts({ 'completed twice': twice, 'half done': half, missing, 'not paid': wrong }),
        ],
      },
    ],
  };
}
