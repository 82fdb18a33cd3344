/** Ends the review of an order, or an unmapped order, by a person's decision, which is final. */
import { needsPerson, type OrderRow, type Resolution } from '../ledger/rows.js';
import { createOrderStore, type StoreContext } from './order-store.js';

/** A person's decision about one order. */
export type ResolveRequest = {
  requestId: string;
  as: Resolution;
  /** The name of the person, kept in the ledger. */
  by: string;
  note: string;
  /** The status that the person has seen; absent: the order's last one. */
  status?: number | null | undefined;
};

/** Thrown when there is no review to end by this decision. */
export class NotInReview extends Error {
  override readonly name = 'NotInReview';
}

/**
 * @throws NotInReview when the ledger lacks the order, no person must look at it, or the decision
 *   is against a payment or an older status
 */
export async function resolveOrder(
  context: StoreContext,
  { as, by, note, requestId, status }: ResolveRequest,
): Promise<OrderRow> {
  const { ledger, ledgerClock } = context;
  const { order } = (await ledger.find(requestId)) ?? {};
  if (!order) throw new NotInReview(`no order ${requestId} in this ledger`);
  if (!needsPerson(order))
    throw new NotInReview(`the order is not in review, it is ${order.outcome}`);
  if (order.outcome === 'succeeded' && as !== 'succeeded')
    throw new NotInReview(
      'the order is paid, and stays so: do what "orders show" says, then say "succeeded"',
    );
  const at = ledgerClock.now();
  const seen = status === undefined ? order.status : status;
  const event = { type: 'resolved', at, as, status: seen } as const;
  const { intent, order: resolved } = await createOrderStore(context).apply(order, event, {
    resolution: {
      request_id: requestId,
      resolved_as: as,
      resolved_by: by,
      note,
      review_reason: order.review_reason ?? order.outcome,
      resolved_at: at,
    },
  });
  const last = intent.resolutions.findLast(({ request_id }) => request_id === requestId);
  const isOurs =
    last?.resolved_at === at &&
    last.resolved_as === as &&
    last.resolved_by === by &&
    last.note === note;
  if (!isOurs)
    throw new NotInReview(
      resolved.resolved_as !== null && !needsPerson(resolved)
        ? `${last?.resolved_by ?? 'somebody else'} has just ended this review`
        : `the service has named the status ${resolved.status} since: look at the order again`,
    );
  return resolved;
}
