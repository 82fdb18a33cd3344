/**
 * Medusa creates the order of a cart first and links it to the cart later. A process that ends in
 * between leaves an order that belongs to no cart, and the next completion creates a second one.
 * These handlers let an order remember its cart, and cancel such an order before the next one.
 */
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';

type Context = { container: MedusaContainer };
type CreatedCart = { id: string; metadata?: Record<string, unknown> | null };

/** For the hook `cartCreated` of `createCartWorkflow`. */
export async function rememberCart(
  { cart }: { cart: CreatedCart },
  { container }: Context,
): Promise<void> {
  // Medusa copies the metadata of a cart to its order
  const metadata = { ...cart.metadata, cart_id: cart.id };
  await container.resolve(Modules.CART).updateCarts(cart.id, { metadata });
}

type FoundOrder = {
  id: string;
  items: { id: string }[];
  cart?: { id: string } | null;
  payment_collections?: { id: string }[];
};

type CompletedCart = { id: string; customer?: { id: string } | null };

/**
 * For the hook `validate` of `completeCartWorkflow`. Medusa holds the lock of the cart meanwhile,
 * so no other completion of it is under way.
 */
export async function cancelUnfinishedOrders(
  { cart }: { cart: CompletedCart },
  { container }: Context,
): Promise<void> {
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
}

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
  const orders = container.resolve(Modules.ORDER);
  // the payment may be recorded with this order already
  const recorded = await orders.listOrderTransactions({ order_id: id }, { select: ['id'] });
  if (recorded.length > 0) await orders.deleteOrderTransactions(recorded.map((each) => each.id));
  await orders.cancel([id]);
}
