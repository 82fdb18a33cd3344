/** One tab of a customer: its calls of the relay, its patience, and what it was told. */
import { z } from 'zod';
import type { Random } from '../chance.js';
import type { Checker } from '../checker/checker.js';
import { pageOrder, type PageOrder, type Purchase } from '../checker/facts.js';
import type { History } from '../history.js';
import type { Deployment } from '../machine/deployment.js';
import { METADATA_MARK, type ShopSetup } from '../machine/shop-config.js';
import type { Scheduler } from '../time/scheduler.js';

export type PageDeps = {
  scheduler: Scheduler;
  history: History;
  checker: Checker;
  deployment: Deployment;
  setup: ShopSetup;
  random: Random;
  purchase: Purchase;
  isCalm: () => boolean;
};

/** An order, the code of a refusal, or null when no answer came. */
export type Told = PageOrder | { code: string } | null;

export type Page = {
  readonly purchase: Purchase;
  checkout(): Promise<Told>;
  pay(option: string, replaces?: PageOrder): Promise<Told>;
  /** Pays with the same request until an order is shown or the customer gives up. */
  payPatiently(option: string, replaces?: PageOrder): Promise<PageOrder | null>;
  /** Waits for a change of the order, by a long poll. */
  wait(order: PageOrder): Promise<Told>;
  /** Follows an order until the order ends, or until the customer's patience ends. */
  follow(order: PageOrder, patienceMs: number): Promise<PageOrder>;
  /** Sends any body, as a stranger does. */
  send(path: string, body: object): Promise<{ status: number; body: unknown } | null>;
};

const orderAnswer = z.object({ order: pageOrder });
const unchangedAnswer = z.object({ unchanged: z.literal(true) });
const failure = z.object({ error: z.object({ code: z.string() }) });

/** A browser gives up a request at the latest after this time. */
const GIVE_UP_MS = 120_000;
/** The share of answers that the page does not receive. */
const LOST_ANSWER_PART = 0.03;
const MAX_PAY_TRIES = 6;
const MEAN_PAUSE_MS = 3000;
/** `wait` of a long poll. */
const WAIT_S = 25;
/** Codes of refusals after which the same request can never succeed. */
const FINAL_REFUSALS = [
  'already_paid',
  'intent_closed',
  'too_many_replacements',
  'intent_conflict',
  'order_unknown',
];

export const isOrder = (told: Told): told is PageOrder => told !== null && !('code' in told);

export function createPage(deps: PageDeps): Page {
  const { checker, deployment, history, purchase, random, scheduler, setup } = deps;
  const who = `customer ${purchase.id}`;
  /** When the page was last told an order: it counts the service's time on from there. */
  let toldAt = 0;

  const countedDown = (order: PageOrder): PageOrder => ({
    ...order,
    server_time: new Date(Date.parse(order.server_time) + scheduler.now() - toldAt).toISOString(),
  });

  const send: Page['send'] = async (path, body) => {
    const beganAt = scheduler.now();
    const text = JSON.stringify(body);
    const request = new Request(`${setup.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(text.length) },
      body: text,
    });
    const reached = await Promise.race([
      deployment.ask(request, random),
      scheduler.sleep(GIVE_UP_MS).then(() => 'given up' as const),
    ]);
    const what = path.slice('/v1/'.length);
    if (reached === 'given up') {
      history.write(who, `gives its ${what} up`);
      checker.tell({ kind: 'call', purchase, what, beganAt, endedAt: null });
      return null;
    }
    // no relay took the request, or the relay that took it has died
    if (typeof reached === 'string') return null;
    checker.tell({ kind: 'call', purchase, what, beganAt, endedAt: scheduler.now() });
    if (JSON.stringify(reached.body).includes(METADATA_MARK))
      checker.tell({ kind: 'metadata_leaked', to: `the page of ${purchase.id}, by ${path}` });
    if (!deps.isCalm() && random.chance(LOST_ANSWER_PART)) {
      purchase.touched.add('lost_page_answer');
      return null;
    }
    return reached;
  };

  /** @param known the order that the page has; an answer may say that it is still right */
  const call = async (path: string, body: object, known?: PageOrder): Promise<Told> => {
    const askedAt = scheduler.now();
    const answer = await send(path, body);
    if (!answer) return null;
    const isUnchanged = unchangedAnswer.safeParse(answer.body).success;
    const told = orderAnswer.safeParse(
      known && isUnchanged ? { order: countedDown(known) } : answer.body,
    );
    if (told.success) {
      toldAt = scheduler.now();
      const { order } = told.data;
      purchase.shown.add(order.request_id);
      purchase.intentId ??= order.intent_id;
      history.write(who, `${path} shows ${order.request_id} ${order.outcome}`);
      checker.tell({ kind: 'page_told', purchase, order, askedAt });
      return order;
    }
    const refused = failure.safeParse(answer.body);
    if (!refused.success) return null;
    const { code } = refused.data.error;
    history.write(who, `${path} is refused: ${code}`);
    checker.tell({ kind: 'page_refused', purchase, code });
    return { code };
  };

  const pay: Page['pay'] = (option, replaces) =>
    call('/v1/pay', {
      ...intentOf(purchase),
      option,
      attempt: purchase.attempt,
      ...(option === 'asks' && { customer: { phone: '+1 555 0100' } }),
      ...(replaces && { replaces: nameOf(replaces) }),
    });

  const wait = (order: PageOrder): Promise<Told> =>
    call('/v1/query', { ...nameOf(order), known_version: order.version, wait: WAIT_S }, order);

  return {
    purchase,
    send,
    pay,
    wait,
    checkout: () => {
      const { attempt, mode } = purchase;
      return call('/v1/checkout', {
        ...intentOf(purchase),
        ...(mode === 'token' ? {} : { attempt }),
      });
    },
    payPatiently: async (option, replaces) => {
      for (let tries = 0; tries < MAX_PAY_TRIES; tries++) {
        const told = await pay(option, replaces);
        if (isOrder(told)) return told;
        if (told && FINAL_REFUSALS.includes(told.code)) return null;
        await scheduler.sleep(random.wait(MEAN_PAUSE_MS) * (tries + 1));
      }
      return null;
    },
    follow: async (order, patienceMs) => {
      const until = scheduler.now() + patienceMs;
      let latest = order;
      while (scheduler.now() < until && !hasEnded(latest)) {
        const told = await wait(latest);
        if (isOrder(told)) latest = told;
        else await scheduler.sleep(1000 + random.wait(MEAN_PAUSE_MS));
      }
      return latest;
    },
  };
}

const ENDED_OUTCOMES = ['succeeded', 'failed', 'expired', 'review'];
const hasEnded = ({ closed, outcome, paid_by }: PageOrder): boolean =>
  ENDED_OUTCOMES.includes(outcome) || paid_by !== undefined || closed === true;

/** The fields by which a request names an order and shows its key. */
export const nameOf = ({ order_key, request_id }: PageOrder) => ({ order_key, request_id });

function intentOf(purchase: Purchase): object {
  if (purchase.token !== null) return { order_token: purchase.token };
  const { amount, currency, customerRefId, productName: product_name, quantity, sku } = purchase;
  const named = customerRefId === null ? {} : { customer_ref_id: customerRefId };
  if (sku !== null) return { sku, quantity, ...named };
  return { amount, currency, product_name, ...named };
}
