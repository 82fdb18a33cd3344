/** POST /v1/query: for a page, the one order whose key it holds; for the shop's backend, any order with all its attempts. */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import { readBody } from '../gates/json-body.js';
import { checkOrigin } from '../gates/origin.js';
import { requireSecretKey } from '../gates/secret-key.js';
import { project } from '../orders/projection.js';
import type { Call, Handler } from './mount.js';

type Answer = { order: Order } | { order: Order; attempts: Order[] };

/** Milliseconds that an answer of the order service is waited for before the ledger answers; a backend decides on it, so it may wait longer. */
const PAGE_WAITS = 150;
const BACKEND_WAITS = 2000;

export const query: Handler<Answer> = (call) =>
  call.request.headers.has('authorization') ? forBackend(call) : forPage(call);

const unknown = (): Failure =>
  new Failure('order_unknown', 'no such order, or not by this order_key', 'request_id');

async function forPage({ context, follow, limit, request }: Call): Promise<{ order: Order }> {
  checkOrigin(context.config, request);
  const {
    request_id,
    order_key,
    known_status,
    wait = 0,
  } = await readBody(request, endpoints.query.request);
  const allowed = await context.capabilities.verify('order', request_id, order_key);
  let order = allowed ? await context.ledger.order(request_id) : null;
  if (!order) throw unknown();
  await limit('intent', order.intent_id);
  const answer =
    wait > 0
      ? follow.wait(
          order,
          known_status === undefined ? order.status : known_status,
          wait,
          request.signal,
        )
      : follow.check(order, PAGE_WAITS);
  // thousands may wait: none keeps its row meanwhile
  order = null;
  return { order: await project(context, await answer) };
}

async function forBackend({
  context,
  follow,
  fromBackend,
  request,
}: Call): Promise<{ order: Order; attempts: Order[] }> {
  requireSecretKey(context.config, fromBackend);
  const { request_id, intent_id } = await readBody(request, endpoints.backendQuery.request);
  const intentId = intent_id ?? (await context.ledger.order(request_id ?? ''))?.intent_id;
  const intent = intentId === undefined ? null : await context.ledger.intent(intentId);
  if (!intent) throw unknown();
  const known = await context.ledger.ordersOf(intent.intent_id);
  const rows = await Promise.all(
    known.map((row) => (row.outcome === 'succeeded' ? row : follow.check(row, BACKEND_WAITS))),
  );
  const named =
    request_id ??
    rows.find(({ outcome }) => outcome === 'succeeded')?.request_id ??
    intent.current_request_id;
  const attempts = await Promise.all(rows.map((row) => project(context, row)));
  const order = attempts.find((attempt) => attempt.request_id === named);
  if (!order) throw unknown();
  return { order, attempts };
}
