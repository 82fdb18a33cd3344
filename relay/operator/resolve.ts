/** Ends a review by a person's decision, and names the evidence that the person had. */
import type { z } from 'zod';
import { resolveOrder, type ResolveRequest } from '../orders/resolve.js';
import { readOrder, type StoreContext } from '../orders/order-store.js';
import type { OrderInIntent } from '../ledger/intent.js';
import { needsPerson } from '../ledger/rows.js';
import { orderById } from './by-id.js';
import { evidenceOf } from './evidence.js';
import { Refusal } from './refusal.js';
import type { resolveShape } from './shapes.js';
import { asOperatorOrder } from './operator-order.js';

type Decision = Omit<ResolveRequest, 'requestId'> & { readonly id: string };

/** @throws Refusal or NotInReview when there is no review to end */
export async function resolve(
  context: StoreContext,
  { id, ...decision }: Decision,
): Promise<z.infer<typeof resolveShape>> {
  const { intent, order } = await orderInReview(context, id);
  const evidence = evidenceOf({ intent, order });
  const { request_id } = order;
  if (!evidence) throw new Refusal(whyNot({ intent, order }));
  await resolveOrder(context, { ...decision, requestId: request_id });
  // only the intent as it became tells whether this order has paid it
  const resolved = await readOrder(context.ledger, request_id);
  return { order: asOperatorOrder(context.config, resolved), evidence };
}

/** An intent names its order in review, which need not be the one that a page shows. */
async function orderInReview(context: StoreContext, id: string): Promise<OrderInIntent> {
  const named = await orderById(context, id);
  const { intent } = named;
  if (intent.intent_id !== id) return named;
  const inReview = intent.orders.filter(needsPerson);
  const [order = named.order, second] = inReview;
  if (!second) return { intent, order };
  const ids = inReview.map(({ request_id }) => request_id).join(', ');
  throw new Refusal(`several orders of ${id} are in review: name one of ${ids}`);
}

function whyNot({ intent, order }: OrderInIntent): string {
  const { outcome, request_id } = order;
  const last = intent.resolutions.findLast((each) => each.request_id === request_id);
  const by = last ? `; ${last.resolved_by} resolved it as ${last.resolved_as}` : '';
  return `the order ${request_id} is not in review, it is ${outcome}${by}`;
}
