/**
 * A ledger of generation 1, as the released relay left it. That relay wrote the rows; only their
 * times are new, because a relay deletes old rows.
 */
import { Migrator, sql, type Kysely } from 'kysely';
import type { Engine } from '../../../../relay/ledger/sql/engine.js';
import { migrations } from '../../../../relay/ledger/sql/migrations.js';

const RELEASED = ['001_ledger', '002_several_relays', '003_lost_at'];

/** An intent with an open amount. In generation 1 its attempt is also its id and request_id. */
export const TREE = '11111111-1111-4111-8111-111111111111';
/** A catalogue intent, in review because the service echoed another amount. */
export const SHIRTS = '22222222-2222-4222-8222-222222222222';
/** An intent of an order token; this is the token's jti. */
export const PIANO = '33333333-3333-4333-8333-333333333333';

export const tree = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
export const shirts = { sku: 'tee', quantity: 2 };
export const piano = {
  amount: '500.00',
  currency: 'USD',
  product_name: 'A piano',
  customer_ref_id: 'c1',
};

/** The released relay made this order_key with CAPABILITY_KEY. */
export const TREE_ORDER_KEY = 'm.rgogUpWu1AcY5aPu4oudqPpBGRlV4MU20Mijdzsrcl8';
const CAPABILITY_KEY = 's1GuCPJvAll6mapi_mALUOX0tPu9wgMds0y18F35WWs';

/** An event that waits for its delivery. */
export const EVENT = {
  event_id: 'evt_d94c9b2e-0db4-4157-9d2e-9dfc10cf32f4',
  body: JSON.stringify({
    type: 'order.created',
    timestamp: '2026-11-21T22:09:21.560Z',
    data: {
      intent_id: TREE,
      request_id: TREE,
      order_no: 'S00000001',
      amount: '12.50',
      currency: 'USD',
      outcome: 'pending',
      late: false,
      open_amount: true,
      livemode: false,
    },
  }),
};

export const REMEMBERED_ADDRESS = 'rpyBri2TWCGFj6dsuHhGydRinxtHNtPT41';

type Row = Record<string, string | number | null>;

const intents = (created_at: number): Row[] => {
  const rest = { pay_currency: null, remark: null, return_url: null, paid_request_id: null };
  const row = (intent_id: string, mode: string, content: string, columns: Row): Row => {
    return {
      ...rest,
      intent_id,
      current_request_id: intent_id,
      created_at,
      mode,
      content,
      ...columns,
    };
  };
  return [
    row(TREE, 'open', 'f6a4252b07f91431b58034bc820a7a8338896b042c443eda17e8e52b00b5fcfa', {
      ...tree,
      customer_ref_id: `web-${TREE}`,
    }),
    row(SHIRTS, 'catalogue', 'dfbb9015d3884a7fa13316041ede1baae354a77a834a071ad83145fd86e0769d', {
      amount: '39.80',
      currency: 'USD',
      product_name: 'T-shirt × 2',
      customer_ref_id: `web-${SHIRTS}`,
    }),
    row(PIANO, 'token', 'e023acea57c8f21461fb78a7c6e453f0687211ea1d23ab280ab5b70071bfd9cc', piano),
  ];
};

const orders = (created_at: number): Row[] => {
  const row = (id: string, seq: number, columns: Row): Row => ({
    request_id: id,
    intent_id: id,
    ordinal: 1,
    option: 'card',
    currency: 'USD',
    open_amount: 0,
    had_customer: 0,
    sending: 'answered',
    order_no: `S0000000${seq}`,
    first_status: 11,
    status: 11,
    outcome: 'pending',
    review_reason: null,
    next_action: `{"kind":"open_page","checkout_url":"https://service.example/checkout/${seq}"}`,
    late: 0,
    created_at,
    checked_at: created_at,
    expires_at: null,
    next_check_at: created_at + 2000,
    version: 2,
    asked_at: null,
    seq: 2 * seq,
    lost_at: null,
    ...columns,
  });
  const inReview = { outcome: 'review', review_reason: 'echo_mismatch', next_action: null };
  return [
    row(TREE, 1, { amount: '12.50', open_amount: 1 }),
    row(SHIRTS, 2, { amount: '39.80', ...inReview }),
    row(PIANO, 3, { amount: '500.00' }),
  ];
};

/** Makes the tables of the released generation in an empty database, and fills them. */
export async function fillReleasedLedger(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const all = await migrations(engine).getMigrations();
  const known = Object.fromEntries(Object.entries(all).filter(([name]) => RELEASED.includes(name)));
  const provider = { getMigrations: async () => known };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw new Error('the released ledger could not be made', { cause: error });

  const insert = async (table: string, rows: Row[]): Promise<void> => {
    for (const row of rows) {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      const values = sql.join(Object.values(row));
      await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(db);
    }
  };
  const at = Date.now() - 60_000;
  await insert('intents', intents(at));
  await insert('orders', orders(at));
  const waiting = { tries: 0, next_try_at: at, delivered_at: null };
  await insert('shop_events', [
    { ...EVENT, ...waiting, intent_id: TREE, type: 'order.created', created_at: at },
  ]);
  const address = { address: REMEMBERED_ADDRESS, tag: '362268559', created_at: at };
  await insert('deposit_addresses', [{ customer_ref_id: 'c1', currency: 'XRP', ...address }]);
  await insert('settings', [{ name: 'capability_key', value: CAPABILITY_KEY }]);
  await insert('instances', [{ instance: 'shop:8787', seen_at: at }]);
}
