/** Decides which changes of an order make a waiting page read it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Intent, OrderInIntent } from '../../../../../relay/ledger/intent.js';
import type { OrderRow } from '../../../../../relay/ledger/rows.js';
import type { Change } from '../../../../../relay/orders/order-store.js';
import {
  createWaitedOrders,
  type WaitedOrder,
  type WaitedOrders,
} from '../../../../../relay/orders/polling/waited-orders.js';
import { asNew } from '../../../../../relay/ledger/rules.js';
import { fresh, freshIntent } from '../fresh-order.js';
import { createParts, type Parts } from '../parts.js';

const order: OrderRow = { ...fresh, status: 11, outcome: 'pending', version: 5 };
const { intent_id, request_id } = order;
const found = (
  changed: Partial<OrderRow> = {},
  intent: Partial<Pick<Intent, 'closed_at' | 'paid_request_id' | 'orders'>> = {},
): OrderInIntent => {
  const row = { ...order, ...changed };
  const version = row.version;
  return { intent: { ...asNew(freshIntent), version, orders: [row], ...intent }, order: row };
};
const paid: OrderRow = { ...order, request_id: 'b', ordinal: 0, outcome: 'succeeded' };
const seen = { type: 'seen', intent_id, version: 5 } as const;

type Remembered = {
  parts: Parts;
  orders: WaitedOrders;
  waited: WaitedOrder;
  /** Counts how often the page was woken. */
  woken: () => number;
  tell(change: Change): void;
};

async function remembered(first: OrderInIntent = found()): Promise<Remembered> {
  const parts = await createParts();
  let listener = (_change: Change): void => {};
  const orders = createWaitedOrders(parts.context, {
    isUpToDate: () => true,
    onChange: (_intentId, added) => {
      listener = added;
      return () => {};
    },
  });
  const waited = orders.keep(first, false);
  let woken = 0;
  orders.enter(waited, () => woken++);
  return { parts, orders, waited, woken: () => woken, tell: (change) => listener(change) };
}

describe('what a page is shown of an order', () => {
  for (const [what, isNews, changed, intent] of [
    ['an unchanged order', false, {}, {}],
    ['another status', true, { status: 12 }, {}],
    ['another outcome', true, { outcome: 'failed' }, {}],
    ['that the order was not sent', true, { sending: 'unsent' }, {}],
    ['that the service gave it a number', true, { order_no: 'P1' }, {}],
    ['a new schedule', false, { next_check_at: 9, checked_at: 8, version: 6 }, {}],
    ['that another order is paid', true, {}, { paid_request_id: 'b', orders: [order, paid] }],
    ['that the intent was closed', true, {}, { closed_at: 1 }],
    ['a later order', true, {}, { orders: [order, { ...order, request_id: 'b', ordinal: 2 }] }],
  ] satisfies [string, boolean, Partial<OrderRow>, Partial<Intent>][])
    it(`has ${isNews ? 'another' : 'the same'} version with ${what}`, async () => {
      const { orders, waited } = await remembered();
      const { version } = waited.shown;
      orders.keep(found(changed, intent), false);
      assert.equal(waited.shown.version !== version, isNews);
    });

  it('keeps a newer row when a read that began earlier returns an older row', async () => {
    const { orders, waited } = await remembered(found({ version: 6, next_check_at: 99 }));
    orders.keep(found({ next_check_at: 1 }), true);
    assert.deepEqual([waited.next_check_at, waited.version], [99, 6]);
  });

  it('is what the ledger has when it has lost what was shown before', async () => {
    const { orders, tell, waited } = await remembered(found({ version: 6, status: 20 }));
    tell({ ...seen, version: 5 });
    assert.equal(waited.isStale, true);
    orders.keep(found(), false);
    assert.deepEqual([waited.shown.status, waited.version, waited.isStale], [11, 5, false]);
  });

  it('is read again when an older write is told of', async () => {
    const { tell, waited } = await remembered(found({ version: 6 }));
    tell({ type: 'written', intent: found().intent });
    assert.deepEqual([waited.isStale, waited.version], [true, 6]);
  });
});

describe('a change of an order that a page waits for', () => {
  it('takes a new schedule over without a read', async () => {
    const { tell, waited, woken } = await remembered();
    tell({ type: 'scheduled', request_id, next_check_at: 99 });
    assert.deepEqual([waited.isStale, waited.next_check_at, woken()], [false, 99, 1]);
  });

  for (const [what, changed, intent] of [
    ['its order', { status: 20, version: 6 }, {}],
    [
      'another order of its intent',
      { version: 6 },
      { paid_request_id: 'b', orders: [order, paid] },
    ],
  ] satisfies [string, Partial<OrderRow>, Partial<Intent>][])
    it(`shows a page what this relay wrote of ${what}, without a read`, async () => {
      const { tell, waited, woken } = await remembered();
      const { version } = waited.shown;
      tell({ type: 'written', intent: found(changed, intent).intent });
      assert.notEqual(waited.shown.version, version);
      assert.deepEqual([waited.isStale, woken()], [false, 1]);
    });

  it('wakes no page for the schedule of another order', async () => {
    const { tell, waited, woken } = await remembered();
    tell({ type: 'scheduled', request_id: 'another', next_check_at: 99 });
    assert.deepEqual([waited.next_check_at, woken()], [order.next_check_at, 0]);
  });

  it('wakes no page for a change that the page knows', async () => {
    const { tell, waited, woken } = await remembered();
    tell(seen);
    assert.deepEqual([waited.isStale, woken()], [false, 0]);
  });

  for (const [what, change] of [
    ['a newer version', { ...seen, version: 6 }],
    ['an older version, since the ledger has lost writes', { ...seen, version: 4 }],
    ['a close by this relay', { type: 'closed' }],
  ] satisfies [string, Change][])
    it(`makes a page read its order when a change has ${what}`, async () => {
      const { orders, tell, waited, woken } = await remembered();
      tell(change);
      assert.deepEqual([waited.isStale, woken(), orders.get(request_id)], [true, 1, null]);
    });

  it('does not wake a page that knows that the intent is closed', async () => {
    const { tell, waited, woken } = await remembered(found({}, { closed_at: 1 }));
    tell({ type: 'closed' });
    tell(seen);
    assert.deepEqual([waited.isStale, woken()], [false, 0]);
  });
});
