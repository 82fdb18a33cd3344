/** Completes the cart of a paid order, or notes a payment that has to be paid back. */
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { capturePaymentWorkflow, processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import {
  fetchOrder,
  needsRefund,
  RelayError,
  type HandleEvent,
  type RelayAccess,
} from 'pay-checkout/shop';
import { actionOf, isSession } from './mapping.js';
import { isNoted, noteRefund, ORDER_CANCELED, type Database } from './refunds.js';

const ALREADY_PAID = 'already paid';

type Session = {
  id: string;
  data: Record<string, unknown>;
  cart_id?: string;
  collection_id: string;
  /** Other sessions of the cart that a customer may still pay. */
  others: string[];
  /** The `request_id` of the order that paid the cart, by this session or another one. */
  paidBy?: string;
  /** The payment of that order. */
  payment?: Payment;
};

type Payment = {
  id: string;
  created_at: Date | string;
  data: Record<string, unknown> | null;
  captures?: { id: string }[];
};

type FoundSession = {
  data: Record<string, unknown> | null;
  payment_collection_id: string;
  payment_collection: {
    payment_sessions?: { id: string; status: string }[];
    payments?: Payment[];
  };
};

type FoundOrder = {
  order: {
    id: string;
    status: string;
    payment_collections?: { id: string }[];
    transactions?: { reference_id: string | null }[];
  };
  cart: { completed_at: Date | string | null };
};

/** @returns undefined when Medusa has deleted the session, or never had it */
async function findSession(container: MedusaContainer, id: string): Promise<Session | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({
    entity: 'payment_session',
    fields: [
      'data',
      'payment_collection_id',
      'payment_collection.payment_sessions.*',
      'payment_collection.payments.*',
      'payment_collection.payments.captures.id',
    ],
    filters: { id },
  });
  const sessions: FoundSession[] = data;
  const session = sessions[0];
  if (!session) return undefined;
  const { data: links } = await query.graph({
    entity: 'cart_payment_collection',
    fields: ['cart_id'],
    filters: { payment_collection_id: session.payment_collection_id },
  });
  const { payment_sessions = [], payments = [] } = session.payment_collection;
  const age = ({ created_at }: { created_at: Date | string }) => Number(new Date(created_at));
  // a payment of another provider has no request_id
  const [first] = payments
    .filter((payment) => typeof payment.data?.request_id === 'string')
    .sort((one, other) => age(one) - age(other));
  // the session's own data may name an order that was shown and never paid
  const paidBy = first?.data?.request_id;
  return {
    id,
    data: session.data ?? {},
    cart_id: links[0]?.cart_id,
    collection_id: session.payment_collection_id,
    others: payment_sessions
      .filter((other) => other.id !== id && other.status === 'pending')
      .map((other) => other.id),
    ...(typeof paidBy === 'string' && { paidBy, payment: first }),
  };
}

/**
 * Medusa links an order to its cart and to its payment, ends the cart and records the money by
 * one write each. When its process ends in between, it repeats only the record, and only when the
 * payment is linked: without this function such an order would show as unpaid for ever.
 *
 * @returns the order's status; undefined when the cart has no order
 */
async function finishOrder(
  container: MedusaContainer,
  cart_id: string,
  { collection_id, payment }: Session,
): Promise<string | undefined> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: 'order_cart',
    fields: [
      'order.id',
      'order.status',
      'order.payment_collections.id',
      'order.transactions.reference_id',
      'cart.completed_at',
    ],
    filters: { cart_id },
  });
  const found: FoundOrder[] = data;
  if (!found[0]) return undefined;
  const { cart, order } = found[0];
  if (order.status === 'canceled' || !payment) return order.status;
  const { payment_collections: collections = [], transactions = [] } = order;
  if (collections.length === 0)
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.ORDER]: { order_id: order.id },
      [Modules.PAYMENT]: { payment_collection_id: collection_id },
    });
  if (!cart.completed_at)
    await container.resolve(Modules.CART).updateCarts(cart_id, { completed_at: new Date() });
  const isRecorded = ({ id }: { id: string }): boolean =>
    transactions.some(({ reference_id }) => reference_id === id);
  // it captures nothing twice, and records what is not recorded
  if (!payment.captures?.every(isRecorded))
    await capturePaymentWorkflow(container).run({ input: { payment_id: payment.id } });
  return order.status;
}

/**
 * Two tabs may create a session each. Medusa completes a cart by the first session only, so an
 * unpaid one must not stay before the paid one.
 */
async function closeOthers(container: MedusaContainer, { others }: Session): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT);
  // the provider refuses to close a paid one; the event of its payment notes the refund
  await Promise.allSettled(others.map((id) => payments.deletePaymentSession(id)));
}

/** @returns why the payment must not complete the cart, null when it may */
async function problemOf(access: RelayAccess, { data, id }: Session): Promise<string | null> {
  const expect = { amount: String(data.amount), currency: String(data.currency) };
  try {
    const { order } = await fetchOrder(access, { intent_id: id }, { expect });
    return order.outcome === 'succeeded' ? null : `the order is ${order.outcome}`;
  } catch (error) {
    const code = error instanceof RelayError ? error.code : '';
    if (code === 'not_as_expected' || code === 'intent_closed') return code;
    throw error;
  }
}

export const createHandler =
  <Tx extends Database>(container: MedusaContainer, access: RelayAccess): HandleEvent<Tx> =>
  async (event, { tx }) => {
    const session_id = event.data.intent_id;
    if (!isSession(session_id)) return;
    const session = await findSession(container, session_id);
    const webhook = actionOf(event);
    const isSecond = webhook.action === 'captured' && session?.paidBy !== undefined;
    if (needsRefund(event, session?.paidBy))
      return noteRefund(tx, event, isSecond ? ALREADY_PAID : event.type);
    if (webhook.action !== 'captured' || (await isNoted(tx, event.data.request_id))) return;
    if (!session) return noteRefund(tx, event, 'no payment session');
    const problem = await problemOf(access, session);
    if (problem !== null) return noteRefund(tx, event, problem);
    await closeOthers(container, session);
    await processPaymentWorkflow(container).run({ input: webhook });
    // another session may have paid the cart meanwhile
    const after = await findSession(container, session_id);
    if (needsRefund(event, after?.paidBy)) return noteRefund(tx, event, ALREADY_PAID);
    const { cart_id } = session;
    if (cart_id === undefined) return;
    const paid = after ?? session;
    // Medusa holds this lock while it completes the cart, and so does not write the same meanwhile
    const status = await container
      .resolve(Modules.LOCKING)
      .execute(cart_id, () => finishOrder(container, cart_id, paid));
    // the hook of the cancellation did not find a payment that was not linked yet
    if (status === 'canceled') return noteRefund(tx, event, ORDER_CANCELED);
    // the workflow also succeeds when the cart could not be completed, for example when the last
    // item was sold: then this event is tried again
    if (status === undefined)
      throw new Error(`${session_id} is paid, and its cart ${cart_id} has no order`);
  };
