/** Ends the review of an order by a person's decision, which is final. */
import type { OrderRow, Resolution } from '../ledger/rows.js';
import { createOrderStore, type StoreContext } from './order-store.js';

/** A person's decision about one order. */
export type ResolveRequest = {
  requestId: string;
  as: Resolution;
  /** The name of the person, kept in the ledger. */
  by: string;
  note: string;
};

/** Thrown when there is no review to end. */
export class NotInReview extends Error {
  override readonly name = 'NotInReview';
}

/** @throws NotInReview when the ledger lacks the order, or the order is not in review */
export async function resolveOrder(
  context: StoreContext,
  { as, by, note, requestId }: ResolveRequest,
): Promise<OrderRow> {
  const { ledger, ledgerClock } = context;
  const { order } = (await ledger.find(requestId)) ?? {};
  if (!order) throw new NotInReview(`no order ${requestId} in this ledger`);
  if (order.outcome !== 'review' || order.review_reason === null)
    throw new NotInReview(`the order is not in review, it is ${order.outcome}`);
  const at = ledgerClock.now();
  const event = { type: 'resolved', at, as } as const;
  const { intent, order: resolved } = await createOrderStore(context).apply(order, event, {
    resolution: {
      request_id: requestId,
      resolved_as: as,
      resolved_by: by,
      note,
      review_reason: order.review_reason,
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
    throw new NotInReview(`${last?.resolved_by ?? 'somebody else'} has just ended this review`);
  return resolved;
}
