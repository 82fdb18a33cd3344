/**
 * POST /v1/query: for a page, the one order whose key it holds; for the shop's backend, any order
 * with all its attempts.
 */
import { endpoints } from '../contract/endpoints.js';
import { compareDecimals } from '../contract/decimal.js';
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import type { BackendOrder } from '../contract/responses.js';
import { readBody } from '../http/body.js';
import { checkOrigin } from '../http/origin.js';
import { requireSecretKey } from '../http/auth.js';
import { project, projectForBackend } from '../orders/projection.js';
import type { RequestContext, Handler } from './mount.js';

type BackendAnswer = { order: BackendOrder; attempts: BackendOrder[] };
type Answer = { order: Order } | BackendAnswer;

/**
 * How long the order service is waited for before the ledger answers. A backend decides on the
 * answer, so it waits longer.
 */
const PAGE_WAIT_MS = 150;
const BACKEND_WAIT_MS = 2000;

export const query: Handler<Answer> = (call) =>
  call.request.headers.has('authorization') ? forBackend(call) : forPage(call);

const unknown = (): Failure =>
  new Failure('order_unknown', 'no such order, or not by this order_key', 'request_id');

async function forPage({
  context,
  follow,
  limit,
  request,
  restored,
}: RequestContext): Promise<{ order: Order }> {
  checkOrigin(context.config, request);
  const {
    request_id,
    order_key,
    known_status,
    wait = 0,
  } = await readBody(request, endpoints.query.request);
  const allowed = await context.capabilities.verify('order', request_id, order_key);
  let order = allowed ? await context.ledger.order(request_id) : null;
  if (!order) {
    if (allowed) await restored.refuseLost(request_id);
    throw unknown();
  }
  await limit('intent', order.intent_id);
  const answer =
    wait > 0
      ? follow.wait(
          order,
          known_status === undefined ? order.status : known_status,
          wait,
          request.signal,
        )
      : follow.check(order, PAGE_WAIT_MS);
  // thousands may wait: none keeps its row meanwhile
  order = null;
  return { order: await project(context, await answer) };
}

async function forBackend(call: RequestContext): Promise<BackendAnswer> {
  const { context, follow, fromBackend, request, restored } = call;
  requireSecretKey(context.config, fromBackend);
  const { ledger } = context;
  const asked = await readBody(request, endpoints.backendQuery.request);
  const { expect, intent_id, request_id } = asked;
  const intentId = intent_id ?? (await ledger.order(request_id ?? ''))?.intent_id;
  const known = intentId === undefined ? [] : await ledger.ordersOf(intentId);
  const rows = await Promise.all(
    known.map((row) => (row.outcome === 'succeeded' ? row : follow.check(row, BACKEND_WAIT_MS))),
  );
  const before = intentId === undefined ? null : await ledger.intent(intentId);
  if (!before) {
    await (intent_id === undefined
      ? restored.refuseLost(request_id ?? '')
      : restored.refuseLostIntent(intent_id));
    throw unknown();
  }
  const found = before.paid_request_id === null ? await restored.adoptNext(before, known) : null;
  if (found) rows.push(found);
  // read after the questions: an answer may have paid it
  const intent = (await ledger.intent(before.intent_id)) ?? before;
  const named = request_id ?? intent.paid_request_id ?? intent.current_request_id;
  const attempts = await Promise.all(rows.map((row) => projectForBackend(context, intent, row)));
  const order = attempts.find((attempt) => attempt.request_id === named);
  if (!order) throw unknown();
  if (expect) checkExpected(order, expect);
  return { order, attempts };
}

type Expected = { amount: string; currency: string };

/** @throws Failure `not_as_expected` naming the field */
function checkExpected(order: Expected, expect: Expected): void {
  const differs = (field: string): Failure =>
    new Failure('not_as_expected', `the order's ${field} is not the expected one`, field);
  if (order.currency !== expect.currency) throw differs('currency');
  if (compareDecimals(order.amount, expect.amount) !== 0) throw differs('amount');
}
