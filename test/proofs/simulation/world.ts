/** Builds a simulated world: the service, and the shops with their relays and backends. */
import { createChance, type Chance } from './chance.js';
import { createChecker, type Checker } from './checker/checker.js';
import { createDisturbances, type Disturbances } from './checker/disturbances.js';
import { createHistory, type History } from './history.js';
import { createDeployment, type Deployment } from './machine/deployment.js';
import { setUpShop, type ShopSetup } from './machine/shop-config.js';
import type { WorldPlan } from './plan.js';
import { createService, type Service } from './service/service.js';
import { STATUS } from './service/statuses.js';
import { createBackend, type Backend } from './shop/backend.js';
import { createBooks, type Books } from './shop/books.js';
import { createPerson, type Person } from './shop/person.js';
import { createReceiver } from './shop/receiver.js';
import type { Scheduler } from './time/scheduler.js';

/** One shop with its relays, its backend and its person. */
export type Shop = {
  readonly setup: ShopSetup;
  readonly deployment: Deployment;
  readonly backend: Backend;
  readonly books: Books;
  readonly person: Person;
};

export type World = {
  readonly plan: WorldPlan;
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly history: History;
  readonly service: Service;
  readonly checker: Checker;
  readonly disturbances: Disturbances;
  readonly shops: ReadonlyMap<string, Shop>;
  /** Whether the last fault has ended. */
  isCalm(): boolean;
  /** Notes that something happens: for a while the relays then tick as often as in production. */
  noteActivity(): void;
};

/** The relays tick as often as in production while something happens, and seldom otherwise. */
const TICK_MS = 500;
const QUIET_TICK_MS = 15_000;
/** Longer than a quiet tick, so that quick ticks follow the first tick after something happened. */
const BUSY_FOR_MS = QUIET_TICK_MS + 3000;
const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

export function createWorld(plan: WorldPlan, scheduler: Scheduler, about: string | null): World {
  const chance = createChance(plan.seed);
  const { now } = scheduler;
  const history = createHistory(now, about);
  const disturbances = createDisturbances();
  const unpaidAfterMs = plan.unpaidAfterS === null ? null : plan.unpaidAfterS * 1000;
  const promised = { followMs: plan.followDays * DAY_MS, unpaidAfterMs };
  const checker = createChecker(now, disturbances, promised, ({ invariant, text }) => {
    history.write('checker', `${invariant}: ${text}`);
    scheduler.stop();
  });
  let busyUntil = 0;
  const noteActivity = (): void => {
    busyUntil = now() + BUSY_FOR_MS;
  };
  /** When a second's budget of queries is used up, more orders may wait for the next tick. */
  const createQueryCount = (): (() => void) => {
    let since = -Infinity;
    let queries = 0;
    return () => {
      if (now() - since >= SECOND_MS) {
        since = now();
        queries = 0;
      }
      queries += 1;
      if (queries >= plan.queriesPerSecond) noteActivity();
    };
  };
  const isCalm = (): boolean => now() >= plan.lastsMs;
  const shops = new Map<string, Shop>();
  const signals = chance('signals');
  const service = createService({
    scheduler,
    chance,
    history,
    onReceived: (order) => checker.tell({ kind: 'received', order }),
    onPaid: (order) => {
      noteActivity();
      checker.tell({ kind: 'paid', order });
    },
    onMetadata: () => checker.tell({ kind: 'metadata_leaked', to: 'the service' }),
    signal: (requestId, url) => {
      const shop = [...shops.values()].find(({ setup }) => url.startsWith(setup.publicUrl));
      if (!shop) return;
      // the shop's proxy strips the path of public_url
      const path = url.slice(shop.setup.publicUrl.length);
      // the body of a signal proves nothing: this one says of every order that it is paid
      const body = JSON.stringify({ status: STATUS.paid });
      const request = new Request(`${shop.setup.origin}${path}`, { method: 'POST', body });
      checker.tell({ kind: 'signalled', requestId });
      void shop.deployment.ask(request, signals).then((reached) => {
        if (typeof reached === 'string' || reached.status !== 200) return;
        checker.tell({ kind: 'signal_taken', requestId, relay: reached.gate });
      });
    },
  });
  const promises = {
    findsByRequestId:
      plan.resendAfterS !== null || plan.faults.some(({ kind }) => kind === 'restore'),
  };
  for (const name of plan.shops) {
    const setup = setUpShop(name, plan);
    const books = createBooks(checker.known);
    const receive = createReceiver({
      setup,
      scheduler,
      history,
      random: chance('receiver', name),
      isCalm,
      touch: checker.known.touch,
      onHandled: (event) => {
        if (!books.losesWebhooks) books.handle(event);
      },
      onDelivery: (delivery) => {
        noteActivity();
        checker.tell({ kind: 'delivery', shop: name, delivery });
        if (delivery.type === 'order.review' && delivery.data.outcome === 'review')
          shops.get(name)?.person.look(delivery.data.request_id);
      },
    });
    const countQuery = createQueryCount();
    const deployment = createDeployment({
      plan,
      setup,
      scheduler,
      history,
      chance,
      line: {
        scheduler,
        history,
        service,
        promises,
        touch: checker.known.touch,
        onQuery: (requestId, gate) => {
          countQuery();
          checker.tell({ kind: 'asked', requestId, relay: gate });
        },
      },
      shopFetch: receive,
      tickMs: () => (now() < busyUntil ? TICK_MS : QUIET_TICK_MS),
    });
    const common = { setup, deployment, scheduler, checker };
    const person = createPerson({
      ...common,
      history,
      random: chance('person', name),
      book: service.book,
    });
    const backend = createBackend({ ...common, books, random: chance('backend', name) });
    shops.set(name, { setup, deployment, backend, books, person });
  }
  return {
    plan,
    scheduler,
    chance,
    history,
    service,
    checker,
    disturbances,
    shops,
    isCalm,
    noteActivity,
  };
}
