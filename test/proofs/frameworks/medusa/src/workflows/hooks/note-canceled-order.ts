/**
 * Medusa cancels a paid order also when the provider refuses the refund. This hook notes what has
 * to be paid back.
 */
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { cancelOrderWorkflow } from '@medusajs/medusa/core-flows';

type FoundPayment = {
  provider_id: string;
  captured_at: Date | null;
  data: Record<string, string>;
};
type FoundOrder = { payment_collections?: { payments?: FoundPayment[] }[] };

cancelOrderWorkflow.hooks.orderCanceled(async ({ order }, { container }) => {
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
    .filter((payment) => payment.provider_id === 'pp_pay-checkout_pay-checkout');
  for (const { captured_at, data: asked } of payments)
    if (captured_at !== null) {
      const { amount, currency, intent_id, request_id } = asked;
      await knex('pay_checkout_refunds')
        .insert({ request_id, intent_id, amount, currency, reason: 'the order was canceled' })
        .onConflict('request_id')
        .ignore();
    }
});
