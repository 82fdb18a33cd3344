/**
 * Medusa creates the order of a cart first and links it to the cart later. A process that ends in
 * between leaves an order that belongs to no cart, and the next completion creates a second one.
 * These hooks let an order remember its cart, and cancel such an order before the next is created.
 */
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { completeCartWorkflow, createCartWorkflow } from '@medusajs/medusa/core-flows';

createCartWorkflow.hooks.cartCreated(async ({ cart }, { container }) => {
  // Medusa copies the metadata of a cart to its order
  const metadata = { ...cart.metadata, cart_id: cart.id };
  await container.resolve(Modules.CART).updateCarts(cart.id, { metadata });
});

type FoundOrder = {
  id: string;
  items: { id: string }[];
  cart?: { id: string } | null;
  payment_collections?: { id: string }[];
};

// runs while Medusa holds the lock of the cart, so no other completion of it is under way
completeCartWorkflow.hooks.validate(async ({ cart }, { container }) => {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({
    entity: 'order',
    fields: ['id', 'items.id', 'cart.id', 'payment_collections.id'],
    filters: {
      customer_id: cart.customer?.id,
      status: 'pending',
      metadata: { cart_id: cart.id },
    },
  });
  const orders: FoundOrder[] = data;
  for (const order of orders) if (!order.cart) await cancelOrder(container, order);
});

/** Medusa's own workflow would also refund the payment, which belongs to the next order. */
async function cancelOrder(
  container: MedusaContainer,
  { id, items, payment_collections: collections = [] }: FoundOrder,
): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  logger.warn(`pay-checkout: canceling the order ${id}, which an ended process left unfinished`);
  const itemIds = items.map((item) => item.id);
  await container.resolve(Modules.INVENTORY).deleteReservationItemsByLineItem(itemIds);
  const links = container.resolve(ContainerRegistrationKeys.LINK);
  for (const { id: payment_collection_id } of collections)
    await links.dismiss({
      [Modules.ORDER]: { order_id: id },
      [Modules.PAYMENT]: { payment_collection_id },
    });
  await container.resolve(Modules.ORDER).cancel([id]);
}
