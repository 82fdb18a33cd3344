/**
 * Medusa cancels a paid order also when the provider refuses the refund. This notes what has to
 * be paid back.
 */
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { ORDER_CANCELED } from '../refunds.js';

type FoundPayment = {
  provider_id: string;
  captured_at: Date | null;
  data: Record<string, string>;
};
type FoundOrder = { payment_collections?: { payments?: FoundPayment[] }[] };

/** For the hook `orderCanceled` of `cancelOrderWorkflow`. */
export async function noteCanceledOrder(
  { order }: { order: { id: string } },
  { container }: { container: MedusaContainer },
): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const knex = container.resolve(ContainerRegistrationKeys.PG_CONNECTION);
  const { data } = await query.graph({
    entity: 'order',
    fields: ['payment_collections.payments.*'],
    filters: { id: order.id },
  });
  const orders: FoundOrder[] = data;
  const payments = orders
    .flatMap(({ payment_collections: collections = [] }) => collections)
    .flatMap((collection) => collection.payments ?? [])
    .filter((payment) => payment.provider_id.startsWith('pp_pay-checkout_'));
  for (const { captured_at, data: asked } of payments)
    if (captured_at !== null) {
      const { amount, currency, intent_id, request_id } = asked;
      await knex('pay_checkout_refunds')
        .insert({ request_id, intent_id, amount, currency, reason: ORDER_CANCELED })
        .onConflict('request_id')
        .ignore();
    }
}
