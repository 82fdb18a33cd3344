/**
 * The headless checkout under random schedules of clicks, reloads, tabs, outages and answers. It
 * shows success or failure only when the service reported it. It places one order, unless the
 * customer returns to the ways to pay or buys again.
 */
import { createCheckout, type Checkout } from '../../widget/checkout/checkout.js';
import type { State } from '../../widget/checkout/flow.js';
import { createAttempts } from '../../widget/browser/attempts.js';
import type { Page } from '../../widget/browser/page.js';
import { createRelayClient } from '../../widget/relay-client.js';
import { sleep } from '../suite/support/wait.js';
import { createWorld, openIntent, testConfig, type World } from '../suite/support/world.js';
import { createRandom, each, keepAlive, percentage, type Random, type Proof } from './proof.js';

/** A generous limit: every answer comes from this process. */
const MAX_ANSWER_MS = 8000;
/** Long enough for the relay to write the order of a pay to its ledger. */
const TIME_TO_CLAIM_MS = 40;
/** Schedules that share one stream of random numbers, one after another. */
const SCHEDULES_PER_RANDOM = 50;
const FAULTS = [
  'cut_after',
  'cut_before',
  'late_effect',
  'broken_json',
  'missing_data',
  'refusal',
] as const;

/** One customer's browser: tabs that share a storage, and a network that can fail. */
function createBrowser(world: World, onState: (state: State) => void) {
  const store = new Map<string, string>();
  const storage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
    removeItem: (key: string) => void store.delete(key),
  };
  const listeners = new Set<() => void>();
  const network = { online: true, losing: false };
  const page: Page = {
    hidden: () => false,
    onPageChange: (callback) => {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
  };
  const client = createRelayClient('https://shop.example', async (url, init) => {
    if (!network.online) throw new TypeError('no network');
    const response = await world.relay.fetch(new Request(url, init));
    if (network.losing || !network.online) throw new TypeError('the answer was lost');
    return response;
  });
  const tab = (): Checkout => {
    const checkout = createCheckout({
      client,
      subject: { intent: openIntent },
      attempts: createAttempts('one', () => storage),
      page,
      onState,
    });
    checkout.start();
    return checkout;
  };
  const notifyPage = (): void => listeners.forEach((listener) => listener());
  return { network, tab, notifyPage };
}

type Count = { wrong: number; example: string; choseAgain: number; paid: number; steps: number };

async function schedule(world: World, random: Random, count: Count): Promise<void> {
  const shownOrders = new Set<string>();
  const reportFailure = (what: string): void => {
    count.wrong++;
    count.example ||= what;
  };
  const orderOf = (id: string): ReturnType<World['sandbox']['orders']['byRequest']> =>
    world.sandbox.orders.byRequest(id);
  const declined = new Set<string>();
  const paid = new Set<string>();
  /** Whether a success was shown: a later order belongs to another purchase. */
  let bought = false;
  let hadRefusal = false;
  const onState = (state: State): void => {
    const order = 'order' in state ? state.order : null;
    if (order) shownOrders.add(order.request_id);
    bought ||= state.phase === 'succeeded';
    if (state.phase === 'succeeded' && order && !paid.has(order.request_id))
      reportFailure('succeeded without the service');
    if (state.phase === 'failed' && order && !declined.has(order.request_id) && !hadRefusal)
      reportFailure('failed without the service');
  };
  const { network, tab, notifyPage } = createBrowser(world, onState);
  const tabs = [tab()];
  let choseAgain = false;
  if (random.chance(0.8)) while (tabs[0]?.state.phase === 'loading') await sleep(1);
  const any = (): Checkout => random.pick(tabs);
  const options = ['qr', 'card', 'wallet', 'chain_wait'];
  const steps: (() => void)[] = [
    () => any().choose(random.pick(options)),
    () => any().choose(random.pick(options)),
    () => {
      const checkout = any();
      checkout.choose('qr');
      checkout.choose('card');
      checkout.choose('qr');
    },
    () => {
      choseAgain = true;
      any().chooseAgain();
    },
    () => any().backToOrder(),
    () => void any().checkNow(),
    () => any().retry(),
    () => tabs.push(tab()),
    () => {
      tabs.splice(random.integer(tabs.length), 1)[0]?.stop();
      tabs.push(tab());
    },
    () => void (network.losing = !network.losing),
    () => {
      network.online = !network.online;
      notifyPage();
    },
    () => {
      const fault = random.pick(FAULTS);
      hadRefusal ||= fault === 'refusal';
      world.sandbox.faults.add({ operation: 'pay', fault, delay_ms: 30, value: '5001' });
    },
    ...(['confirm', 'decline', 'pay_late'] as const).map((action) => () => {
      const order = orderOf([...shownOrders].at(-1) ?? '');
      if (!order) return;
      (action === 'decline' ? declined : paid).add(order.request_id);
      world.sandbox.orders.act(order, action);
    }),
  ];
  for (let left = 4 + random.integer(8); left > 0; left--) {
    count.steps++;
    random.pick(steps)();
    if (random.chance(0.6)) await sleep(random.integer(6));
  }
  // from here on everything works: an order that a new tab shows can be paid, and then succeeds
  Object.assign(network, { online: true, losing: false });
  world.sandbox.faults.clear();
  for (const checkout of tabs) checkout.stop();
  // half of the customers wait until the relay has claimed the order of a pay under way
  if (random.chance(0.5)) await sleep(TIME_TO_CLAIM_MS);
  const last = tab();
  for (const end = Date.now() + MAX_ANSWER_MS; last.state.phase === 'loading' && Date.now() < end;)
    await sleep(2);
  const current = 'order' in last.state ? last.state.order : null;
  if (current && orderOf(current.request_id)) {
    paid.add(current.request_id);
    world.sandbox.orders.act(orderOf(current.request_id)!, 'pay_late');
    for (
      const end = Date.now() + MAX_ANSWER_MS;
      last.state.phase !== 'succeeded' && Date.now() < end;
    )
      await sleep(5);
    if (last.state.phase !== 'succeeded')
      reportFailure(`paid, and the page says ${last.state.phase}`);
    else count.paid++;
  }
  last.stop();
  // the world has only this customer, so every pay in it is theirs
  const ids = world.pays().map(({ request_id }) => String(request_id));
  if (new Set(ids).size !== ids.length) reportFailure('a request_id sent twice');
  if ([...shownOrders].some((id) => !ids.includes(id)))
    reportFailure('an order shown that was never sent');
  if (choseAgain) count.choseAgain++;
  else if (new Set(ids).size > 1 && !bought)
    reportFailure('two orders without a change of the way to pay');
}

export const schedules: Proof = {
  sizes: { schedules: 10_000, seed: 1 },
  small: { schedules: 300, seed: 1 },
  run: ({ schedules: total = 0, seed = 1 }) =>
    keepAlive(async () => {
      const count: Count = { wrong: 0, example: '', choseAgain: 0, paid: 0, steps: 0 };
      const service = { ...testConfig.service, queries_per_second: 100_000 };
      await each(Math.ceil(total / SCHEDULES_PER_RANDOM), 4, async (index) => {
        const random = createRandom(seed * 1_000_003 + index);
        const here = Math.min(SCHEDULES_PER_RANDOM, total - index * SCHEDULES_PER_RANDOM);
        // a new world for each schedule: a fault that one leaves behind would hit the next
        for (let done = 0; done < here; done++)
          await schedule(
            createWorld({ config: { service, limits: { per_intent_per_minute: 100_000 } } }),
            random,
            count,
          );
      });
      return {
        // when too few schedules reach a payment, the proof tests nothing
        held: count.wrong === 0 && count.paid >= 0.2 * total,
        sections: [
          {
            figures: [
              { name: 'schedules', value: total },
              { name: 'steps', value: count.steps },
              percentage('ended paid', count.paid, total),
              percentage('with a return to the ways to pay', count.choseAgain, total),
            ],
          },
          { figures: [{ name: 'wrong', value: count.wrong }] },
        ],
        example: count.example,
      };
    }),
};
