/** What Medusa's database says about carts, orders and payments. */
import pg from 'pg';

export type CartFacts = {
  /**
   * Orders with the cart's e-mail address that are not canceled, linked to a cart or not. Each test
   * cart has an address of its own.
   */
  orders: number;
  /** Canceled orders with this address; in closed-tab.ts, those that a kill left without a cart. */
  canceled: number;
  /** Orders that are linked to the cart. */
  linked: number;
  /** Those of them that are linked to the payment too, when the cart is marked as completed. */
  finished: number;
  /** Sum of the captures of the cart's payments, as decimal text. */
  capturedSum: string;
  /** Sum of the transactions of all orders with this address, as decimal text. */
  recordedSum: string;
  captureCount: number;
  refundCount: number;
};

/** A row of the payment provider's table: a payment that a person has yet to refund. */
export type PaymentToRefund = {
  request_id: string;
  intent_id: string;
  amount: string;
  reason: string;
};

/** A table into which nobody else can write. */
export type HeldTable = {
  /** Whether somebody waits to write. */
  isAwaited(): Promise<boolean>;
  /** Ends the connections that wait, and lets others write. */
  release(): Promise<void>;
};

export type Facts = {
  /** How many carts have a linked order and a captured payment. */
  completed(): Promise<number>;
  ofCart(cart: { id: string; email: string }): Promise<CartFacts>;
  paymentsToRefund(): Promise<PaymentToRefund[]>;
  /** Ids of the order and the payment of a cart. */
  orderOf(cartId: string): Promise<{ order_id: string; payment_id: string } | undefined>;
  hold(table: string): Promise<HeldTable>;
  close(): Promise<void>;
};

const COMPLETED = `select count(distinct oc.cart_id)::int as completed
  from order_cart oc
  join cart_payment_collection cp on cp.cart_id = oc.cart_id and cp.deleted_at is null
  join payment p on p.payment_collection_id = cp.payment_collection_id
  where oc.deleted_at is null and p.captured_at is not null`;

const OF_CART = `with cart_payments as (
    select p.id from payment p
    join cart_payment_collection cp on cp.payment_collection_id = p.payment_collection_id
    where cp.cart_id = $1 and cp.deleted_at is null and p.deleted_at is null
  ), linked as (
    select order_id from order_cart where cart_id = $1 and deleted_at is null
  ), captures as (
    select amount from capture
    where payment_id in (select id from cart_payments) and deleted_at is null
  )
  select
    (select count(*)::int from "order"
      where email = $2 and deleted_at is null and status <> 'canceled') as orders,
    (select count(*)::int from "order"
      where email = $2 and deleted_at is null and status = 'canceled') as canceled,
    (select count(*)::int from linked) as linked,
    (select count(*)::int from linked
      join order_payment_collection op using (order_id)
      join cart_payment_collection cp using (payment_collection_id)
      join cart on cart.id = cp.cart_id
      where cart.id = $1 and cart.completed_at is not null
        and op.deleted_at is null and cp.deleted_at is null) as finished,
    (select coalesce(sum(amount), 0)::text from captures) as "capturedSum",
    (select count(*)::int from captures) as "captureCount",
    (select coalesce(sum(amount), 0)::text from order_transaction
      where order_id in (select id from "order" where email = $2)
        and deleted_at is null) as "recordedSum",
    (select count(*)::int from refund
      where payment_id in (select id from cart_payments) and deleted_at is null) as "refundCount"`;

const ORDER_OF = `select oc.order_id, p.id as payment_id from order_cart oc
  join cart_payment_collection cp on cp.cart_id = oc.cart_id and cp.deleted_at is null
  join payment p on p.payment_collection_id = cp.payment_collection_id
  where oc.cart_id = $1 and oc.deleted_at is null`;

const WAITING = 'from pg_locks where not granted and relation = $1::regclass';

async function hold(database: string, table: string): Promise<HeldTable> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(`begin; lock table ${client.escapeIdentifier(table)} in exclusive mode`);
  return {
    isAwaited: async () => (await client.query(`select 1 ${WAITING}`, [table])).rows.length > 0,
    release: async () => {
      // the server would still write what a killed process has sent
      await client.query(`select pg_terminate_backend(pid) ${WAITING}`, [table]);
      await client.end();
    },
  };
}

export async function openFacts(database: string): Promise<Facts> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return {
    completed: async () => {
      const { rows } = await client.query<{ completed: number }>(COMPLETED);
      return rows[0]?.completed ?? 0;
    },
    ofCart: async ({ email, id }) => {
      const { rows } = await client.query<CartFacts>(OF_CART, [id, email]);
      if (!rows[0]) throw new Error(`the database has no facts about the cart ${id}`);
      return rows[0];
    },
    paymentsToRefund: async () =>
      (await client.query<PaymentToRefund>('select * from pay_checkout_refunds')).rows,
    orderOf: async (cartId) =>
      (await client.query<{ order_id: string; payment_id: string }>(ORDER_OF, [cartId])).rows[0],
    hold: (table) => hold(database, table),
    close: () => client.end(),
  };
}
