/**
 * POST /v1/query: for a page, the order whose key it has; for the shop's backend, any order and all
 * orders of its intent.
 */
import type { z } from 'zod';
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import type { BackendOrder, UnchangedOrder } from '../contract/responses.js';
import { readBody } from '../http/body.js';
import type { OrderInIntent } from '../ledger/intent.js';
import type { IntentRow } from '../ledger/rows.js';
import type { WaitedOrder } from '../orders/polling/waited-orders.js';
import { project, projectForBackend, withKey } from '../orders/projection.js';
import { shownOrder } from '../ledger/shown-order.js';
import { type Amount, checkAmount } from '../orders/checks.js';
import type { Context } from '../orders/context.js';
import { withSecretKey, type BackendHandler, type Handler, type RequestContext } from './mount.js';

type PageQuery = z.infer<typeof endpoints.query.request>;
type PageAnswer = { order: Order } | UnchangedOrder;
type BackendAnswer = { order: BackendOrder; orders: BackendOrder[] };

/**
 * How long a page's answer waits for the order service before the ledger answers.
 */
const PAGE_WAIT_MS = 150;

export const query: Handler<PageAnswer | BackendAnswer> = (call) =>
  call.request.headers.has('authorization')
    ? withSecretKey(endpoints.backendQuery, forBackend)(call)
    : forPage(call);

const unknown = (): Failure =>
  new Failure('order_unknown', 'no such order, or not by this order_key', 'request_id');

const unknownToBackend = (field: 'intent_id' | 'order_no' | 'request_id'): Failure =>
  new Failure('order_unknown', `no order has this ${field}`, field);

async function forPage(call: RequestContext): Promise<PageAnswer> {
  const { context, longPoll, onGone, request } = call;
  const page = await readBody(request, endpoints.query.request);
  const { known_version, order_key, request_id, wait = 0 } = page;
  if (!(await context.capabilities.verify('order', request_id, order_key))) throw unknown();
  const waited = wait === 0 ? null : await findWaited(call, page);
  if (waited) await longPoll.wait(waited, page, wait, onGone);
  const order = waited
    ? await withKey(context, waited.shown, waited)
    : await askNow(call, request_id);
  const unasked = context.breaker.isOpen() && { service_unreachable: true };
  if (order.version !== known_version) return { order: { ...order, ...unasked } };
  return { unchanged: true, server_time: order.server_time, ...unasked };
}

async function askNow(call: RequestContext, requestId: string): Promise<Order> {
  const { context, longPoll, trace } = call;
  const found = await find(call, requestId);
  return project(context, await longPoll.check(found, PAGE_WAIT_MS, 'asked', trace));
}

/** A separate function, so that a long poll does not keep the row that it began with. */
async function findWaited(call: RequestContext, page: PageQuery): Promise<WaitedOrder> {
  const { limit, longPoll, restored, store } = call;
  const { request_id } = page;
  // an order that was on its way at a restore may replace the page's one when it arrives
  const mayBeReplaced = await restored.isAwaiting();
  const remembered = mayBeReplaced ? null : longPoll.remembered(request_id, page);
  if (remembered) {
    await limit('intent', remembered.intent_id);
    return remembered;
  }
  const readAtChange = store.changeCount();
  return longPoll.remember(await find(call, request_id), readAtChange);
}

/**
 * Finds the order of a page, and counts the request against the limit of its intent.
 *
 * @throws Failure `order_unknown`
 */
async function find(
  { context, limit, restored }: RequestContext,
  requestId: string,
): Promise<OrderInIntent> {
  const found = await context.ledger.find(requestId);
  if (!found) {
    await restored.refuseLost(requestId);
    throw unknown();
  }
  await limit('intent', found.order.intent_id);
  if (!(await restored.asksFirst())) return found;
  // a restored ledger may lack the order that replaced this one, which must not be paid any more
  await restored.adoptBeforeShown(found.order.intent_id);
  return (await context.ledger.find(requestId)) ?? found;
}

const forBackend: BackendHandler<'backendQuery', BackendAnswer> = async (call, body) => {
  const { about, context, refreshIntent, restored, trace } = call;
  const { ledger } = context;
  const { expect, intent_id, order_no } = body;
  const numbered = order_no === undefined ? null : await findByNumber(ledger, order_no);
  if (order_no !== undefined && !numbered) throw unknownToBackend('order_no');
  const request_id = numbered?.order.request_id ?? body.request_id;
  const intentId = intent_id ?? (await ledger.find(request_id ?? ''))?.order.intent_id;
  if (intentId !== undefined) about(intentId);
  const intent = intentId === undefined ? null : await refreshIntent(intentId, 'asked', trace);
  if (!intent || intent.orders.length === 0) {
    await (intent_id === undefined
      ? restored.refuseLost(request_id ?? '')
      : restored.refuseLostIntent(intent_id));
    throw unknownToBackend(intent_id === undefined ? 'request_id' : 'intent_id');
  }
  const shown = shownOrder(context.config, intent) ?? intent.orders.at(-1);
  const named = request_id ?? shown?.request_id;
  const orders = await Promise.all(
    intent.orders.map((order) => projectForBackend(context, { intent, order })),
  );
  const order = orders.find((each) => each.request_id === named);
  if (!order) throw unknownToBackend('request_id');
  if (expect) checkExpected(intent, order, expect);
  return { order, orders };
};

/** The newest order with the service's number. */
async function findByNumber(
  ledger: Pick<Context['ledger'], 'search'>,
  orderNo: string,
): Promise<OrderInIntent | null> {
  const [intent] = await ledger.search('order_no', { from: orderNo, to: orderNo }, 1);
  const order = intent?.orders.find(({ order_no }) => order_no === orderNo);
  return intent && order ? { intent, order } : null;
}

/**
 * A shop delivers for a paid order that is as it expects, so one whose money a person may have paid
 * back is refused.
 *
 * @throws Failure `intent_closed`, or `not_as_expected` naming the field
 */
function checkExpected(
  { closed_at }: Pick<IntentRow, 'closed_at'>,
  order: Amount & Pick<BackendOrder, 'outcome' | 'resolved_as'>,
  expect: Amount,
): void {
  if (closed_at !== null) throw new Failure('intent_closed', 'the shop closed the intent');
  checkAmount(order, expect);
  if (order.outcome === 'succeeded' && order.resolved_as === 'failed')
    throw new Failure(
      'not_as_expected',
      'the order is paid after a person resolved it as failed, and may have been paid back',
      'resolved_as',
    );
}
