/**
 * The headless checkout under any schedule of clicks, reloads, tabs, outages and answers: no
 * success or failure on a guess, one order.
 */
import { createCheckout, type Checkout } from '../../widget/checkout/checkout.js';
import type { State } from '../../widget/checkout/flow.js';
import { createAttempts } from '../../widget/browser/attempts.js';
import type { Page } from '../../widget/browser/visibility.js';
import { createRelayClient } from '../../widget/relay-client.js';
import { sleep } from '../support/wait.js';
import { createWorld, openIntent, testConfig, type World } from '../support/world.js';
import { createRandom, each, keepAlive, percentage, type Random, type Proof } from './proof.js';

/** Milliseconds in which what was begun is heard of, in one process. */
const HEARD_WITHIN = 8000;
/** In this time a pay that was begun has claimed its order. */
const PAUSE_MS = 40;
const FAULTS = [
  'cut_after',
  'cut_before',
  'late_effect',
  'broken_json',
  'missing_data',
  'refusal',
] as const;

/** One customer's browser: a store that tabs share, a network that comes and goes, and tabs. */
function browser(world: World, seen: (state: State) => void) {
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
      onState: seen,
    });
    checkout.start();
    return checkout;
  };
  const turn = (): void => listeners.forEach((listener) => listener());
  return { network, tab, turn };
}

type Count = { wrong: number; example: string; replaced: number; paid: number; steps: number };

async function schedule(world: World, random: Random, count: Count): Promise<void> {
  const mine = new Set<string>();
  const complain = (what: string): void => {
    count.wrong++;
    count.example ||= what;
  };
  const orderOf = (id: string): ReturnType<World['sandbox']['orders']['byRequest']> =>
    world.sandbox.orders.byRequest(id);
  const declined = new Set<string>();
  const paid = new Set<string>();
  const seen = (state: State): void => {
    const order = 'order' in state ? state.order : null;
    if (order) mine.add(order.request_id);
    bought ||= state.phase === 'succeeded';
    if (state.phase === 'succeeded' && order && !paid.has(order.request_id))
      complain('succeeded without the service');
    if (state.phase === 'failed' && order && !declined.has(order.request_id) && !refused())
      complain('failed without the service');
  };
  /** After a success the next choice is a purchase of its own. */
  let bought = false;
  let refusal = false;
  const refused = (): boolean => refusal;
  const { network, tab, turn } = browser(world, seen);
  const tabs = [tab()];
  let replacing = false;
  if (random.chance(0.8)) while (tabs[0]?.state.phase === 'loading') await sleep(1);
  const any = (): Checkout => random.pick(tabs);
  const options = ['qr', 'card', 'wallet', 'chain_wait'];
  const steps: (() => void)[] = [
    () => any().choose(random.pick(options)),
    () => any().choose(random.pick(options)),
    () => {
      const one = any();
      one.choose('qr');
      one.choose('card');
      one.choose('qr');
    },
    () => {
      replacing = true;
      any().chooseAgain();
    },
    () => any().backToOrder(),
    () => void any().checkNow(),
    () => any().retry(),
    () => tabs.push(tab()),
    () => {
      tabs.splice(random.whole(tabs.length), 1)[0]?.stop();
      tabs.push(tab());
    },
    () => void (network.losing = !network.losing),
    () => {
      network.online = !network.online;
      turn();
    },
    () => {
      const fault = random.pick(FAULTS);
      refusal ||= fault === 'refusal';
      world.sandbox.faults.add({ operation: 'pay', fault, delay_ms: 30, value: '5001' });
    },
    ...(['confirm', 'decline', 'pay_late'] as const).map((action) => () => {
      const order = orderOf([...mine].at(-1) ?? '');
      if (!order) return;
      (action === 'decline' ? declined : paid).add(order.request_id);
      world.sandbox.orders.act(order, action);
    }),
  ];
  for (let left = 4 + random.whole(8); left > 0; left--) {
    count.steps++;
    random.pick(steps)();
    if (random.chance(0.6)) await sleep(random.whole(6));
  }
  // quiet: everything works again, and what stands is shown in every tab that asks anew
  Object.assign(network, { online: true, losing: false });
  world.sandbox.faults.clear();
  for (const one of tabs) one.stop();
  // half of the customers come back while a pay may still be on its way to its claim
  if (random.chance(0.5)) await sleep(PAUSE_MS);
  const last = tab();
  for (const end = Date.now() + HEARD_WITHIN; last.state.phase === 'loading' && Date.now() < end;)
    await sleep(2);
  const current = 'order' in last.state ? last.state.order : null;
  if (current && orderOf(current.request_id)) {
    paid.add(current.request_id);
    world.sandbox.orders.act(orderOf(current.request_id)!, 'pay_late');
    for (
      const end = Date.now() + HEARD_WITHIN;
      last.state.phase !== 'succeeded' && Date.now() < end;
    )
      await sleep(5);
    if (last.state.phase !== 'succeeded') complain(`paid, and the page says ${last.state.phase}`);
    else count.paid++;
  }
  last.stop();
  // the world is this customer's alone: every pay in it is theirs
  const ids = world.pays().map(({ request_id }) => String(request_id));
  if (new Set(ids).size !== ids.length) complain('a request_id sent twice');
  if ([...mine].some((id) => !ids.includes(id))) complain('an order shown that was never sent');
  if (replacing) count.replaced++;
  else if (new Set(ids).size > 1 && !bought)
    complain('two orders without a change of the way to pay');
}

export const schedules: Proof = {
  sizes: { schedules: 10_000, seed: 1 },
  small: { schedules: 300, seed: 1 },
  run: ({ schedules: total = 0, seed = 1 }) =>
    keepAlive(async () => {
      const count: Count = { wrong: 0, example: '', replaced: 0, paid: 0, steps: 0 };
      const PER_WORLD = 50;
      const service = { ...testConfig.service, queries_per_second: 100_000 };
      // one customer at a time in a world of its own, since a fault meets whoever comes next
      await each(Math.ceil(total / PER_WORLD), 4, async (index) => {
        const random = createRandom(seed * 1_000_003 + index);
        for (let done = 0; done < Math.min(PER_WORLD, total - index * PER_WORLD); done++)
          await schedule(
            createWorld({ config: { service, limits: { per_intent_per_minute: 100_000 } } }),
            random,
            count,
          );
      });
      return {
        held: count.wrong === 0 && count.paid >= 0.2 * total,
        sections: [
          {
            figures: [
              { name: 'schedules', value: total },
              { name: 'steps', value: count.steps },
              percentage('ended paid (acceptance)', count.paid, total),
              percentage('with another way to pay', count.replaced, total),
            ],
          },
          { figures: [{ name: 'wrong', value: count.wrong }] },
        ],
        example: count.example,
      };
    }),
};
