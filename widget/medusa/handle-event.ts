/** Completes the cart of a paid order, or notes a payment that has to be paid back. */
import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import {
  fetchOrder,
  needsRefund,
  RelayError,
  type HandleEvent,
  type RelayAccess,
  type ShopEvent,
} from 'pay-checkout/shop';
import { actionOf, isSession } from './mapping.js';

/** Knex's transaction on PostgreSQL, the only database of Medusa. */
type Transaction = {
  raw(sql: string, values: readonly string[]): PromiseLike<{ rows: readonly unknown[] }>;
};

const INSERT_REFUND = `insert into pay_checkout_refunds
  (request_id, intent_id, amount, currency, reason)
  values (?, ?, ?, ?, ?) on conflict (request_id) do nothing`;

/** Writes down a payment that has to be paid back. */
const noteRefund = async (tx: Transaction, { data }: ShopEvent, reason: string): Promise<void> => {
  const { amount, currency, intent_id, request_id } = data;
  await tx.raw(INSERT_REFUND, [request_id, intent_id, amount, currency, reason]);
};

/** A relay whose ledger was restored may call a payment the first that was to be paid back. */
async function isNoted(tx: Transaction, { data }: ShopEvent): Promise<boolean> {
  const find = 'select 1 from pay_checkout_refunds where request_id = ?';
  const { rows } = await tx.raw(find, [data.request_id]);
  return rows.length > 0;
}

type Session = {
  id: string;
  data: Record<string, unknown>;
  cart_id?: string;
  /** The `request_id` of the order that paid it. */
  paidBy?: string;
};

/** @returns undefined when Medusa has deleted the session, or never had it */
async function findSession(container: MedusaContainer, id: string): Promise<Session | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const { data: sessions } = await query.graph({
    entity: 'payment_session',
    fields: ['id', 'data', 'payment_collection_id', 'payment.data'],
    filters: { id },
  });
  const session = sessions[0];
  if (!session) return undefined;
  const { data: links } = await query.graph({
    entity: 'cart_payment_collection',
    fields: ['cart_id'],
    filters: { payment_collection_id: session.payment_collection_id },
  });
  // the session's own data may name an order that was shown and never paid
  const paidBy: unknown = session.payment?.data?.request_id;
  return {
    id,
    data: session.data ?? {},
    cart_id: links[0]?.cart_id,
    ...(typeof paidBy === 'string' && { paidBy }),
  };
}

async function hasOrder(container: MedusaContainer, cart_id: string): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const fields = ['order_id'];
  const { data } = await query.graph({ entity: 'order_cart', fields, filters: { cart_id } });
  return data.length > 0;
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
  <Tx extends Transaction>(container: MedusaContainer, access: RelayAccess): HandleEvent<Tx> =>
  async (event, { tx }) => {
    const session_id = event.data.intent_id;
    if (!isSession(session_id)) return;
    const session = await findSession(container, session_id);
    const webhook = actionOf(event);
    const isSecond = webhook.action === 'captured' && session?.paidBy !== undefined;
    if (needsRefund(event, session?.paidBy))
      return noteRefund(tx, event, isSecond ? 'already paid' : event.type);
    if (webhook.action !== 'captured' || (await isNoted(tx, event))) return;
    if (!session) return noteRefund(tx, event, 'no payment session');
    const problem = await problemOf(access, session);
    if (problem !== null) return noteRefund(tx, event, problem);
    await processPaymentWorkflow(container).run({ input: webhook });
    // the workflow also succeeds when the cart could not be completed, for example when the last
    // item was sold: then this event is tried again
    const { cart_id } = session;
    if (cart_id !== undefined && !(await hasOrder(container, cart_id)))
      throw new Error(`${session_id} is paid, and its cart ${cart_id} has no order`);
  };
