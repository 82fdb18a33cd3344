/** What Medusa's database says about carts, orders and payments. */
import pg from 'pg';

export type CartFacts = {
  /** Orders of this customer that are not canceled, also those that no cart leads to. */
  orders: number;
  /** Orders that were canceled, because a killed process had left them without a cart. */
  canceled: number;
  /** Orders that are linked to the cart. */
  linked: number;
  /** Sums of the payments of the cart and of the order's transactions, as decimal texts. */
  captured: string;
  recorded: string;
  captures: number;
  refunds: number;
};

export type RefundRow = { request_id: string; intent_id: string; amount: string; reason: string };

export type Facts = {
  /** How many orders are linked to a cart and have a captured payment. */
  completed(): Promise<number>;
  ofCart(cart: { id: string; email: string }): Promise<CartFacts>;
  refunds(): Promise<RefundRow[]>;
  /** Ids of the order and the payment of a cart. */
  orderOf(cartId: string): Promise<{ order_id: string; payment_id: string } | undefined>;
  close(): Promise<void>;
};

const COMPLETED = `select count(distinct oc.cart_id)::int as completed
  from order_cart oc
  join cart_payment_collection cp on cp.cart_id = oc.cart_id and cp.deleted_at is null
  join payment p on p.payment_collection_id = cp.payment_collection_id
  where oc.deleted_at is null and p.captured_at is not null`;

const OF_CART = `with paid as (
    select p.id from payment p
    join cart_payment_collection cp on cp.payment_collection_id = p.payment_collection_id
    where cp.cart_id = $1 and cp.deleted_at is null and p.deleted_at is null
  ), linked as (
    select order_id from order_cart where cart_id = $1 and deleted_at is null
  ), captures as (
    select amount from capture where payment_id in (select id from paid) and deleted_at is null
  )
  select
    (select count(*)::int from "order"
      where email = $2 and deleted_at is null and status <> 'canceled') as orders,
    (select count(*)::int from "order"
      where email = $2 and deleted_at is null and status = 'canceled') as canceled,
    (select count(*)::int from linked) as linked,
    (select coalesce(sum(amount), 0)::text from captures) as captured,
    (select count(*)::int from captures) as captures,
    (select coalesce(sum(amount), 0)::text from order_transaction
      where order_id in (select order_id from linked) and deleted_at is null) as recorded,
    (select count(*)::int from refund
      where payment_id in (select id from paid) and deleted_at is null) as refunds`;

const ORDER_OF = `select oc.order_id, p.id as payment_id from order_cart oc
  join cart_payment_collection cp on cp.cart_id = oc.cart_id and cp.deleted_at is null
  join payment p on p.payment_collection_id = cp.payment_collection_id
  where oc.cart_id = $1 and oc.deleted_at is null`;

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
      if (!rows[0]) throw new Error(`${id}: no answer`);
      return rows[0];
    },
    refunds: async () => (await client.query<RefundRow>('select * from pay_checkout_refunds')).rows,
    orderOf: async (cartId) =>
      (await client.query<{ order_id: string; payment_id: string }>(ORDER_OF, [cartId])).rows[0],
    close: () => client.end(),
  };
}
