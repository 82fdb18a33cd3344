/** Whether an order that was just written is the only one of its intent. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { asOnlyOrder } from '../../../../relay/orders/placed.js';
import { fresh, freshIntent } from './fresh-order.js';

const order: OrderRow = { ...fresh, request_id: 'r1', ordinal: 1 };
const intent: IntentRow = { ...freshIntent, current_request_id: 'r1' };

it('the first order is the only one while it is the current one of an open intent', () => {
  assert.deepEqual(asOnlyOrder(order, intent), {
    closed_at: null,
    others: [],
    paid_request_id: null,
  });
});

for (const [state, shown, stored] of [
  ['the intent was not read', order, null],
  ['another order is the current one', order, { ...intent, current_request_id: 'r2' }],
  ['it is the second order', { ...order, ordinal: 2 }, intent],
  ['the intent is paid', order, { ...intent, paid_request_id: 'r1' }],
  ['the intent is closed', order, { ...intent, closed_at: 5 }],
] satisfies [string, OrderRow, IntentRow | null][])
  it(`there may be other orders when ${state}`, () => {
    assert.equal(asOnlyOrder(shown, stored), undefined);
  });
