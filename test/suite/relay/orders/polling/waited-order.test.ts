/** Decides which changes end a long poll, and which changes need no read of the order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Intent, OrderInIntent } from '../../../../../relay/ledger/intent.js';
import type { OrderRow } from '../../../../../relay/ledger/rows.js';
import {
  isNews,
  refresh,
  noteChange,
  waitedOrder,
} from '../../../../../relay/orders/polling/waited-order.js';
import { asNew } from '../../../../../relay/ledger/rules.js';
import { fresh, freshIntent } from '../fresh-order.js';

const order: OrderRow = { ...fresh, status: 11, outcome: 'pending', version: 5 };
type Change = Partial<Pick<Intent, 'closed_at' | 'paid_request_id'>> & {
  order?: OrderRow;
  others?: readonly OrderRow[];
};
const found = ({ order: changed = order, others = [], ...change }: Change = {}): OrderInIntent => {
  const intent = { ...asNew(freshIntent), ...change, orders: [changed, ...others] };
  return { intent, order: changed };
};
const waited = (change: Change = {}): ReturnType<typeof waitedOrder> =>
  waitedOrder(found(change), 11);
const seen = { type: 'seen', ...order, closed_at: null } as const;

describe('news to a waiting page', () => {
  for (const [what, change, news] of [
    ['an unchanged order', {}, false],
    ['another status', { order: { ...order, status: 12 } }, true],
    ['another outcome', { order: { ...order, outcome: 'failed' } }, true],
    ['that the order was not sent', { order: { ...order, sending: 'unsent' } }, true],
    ['a new schedule', { order: { ...order, next_check_at: 9, version: 6 } }, false],
    ['that its own order is paid first', { paid_request_id: order.request_id }, false],
    ['that another order is paid', { paid_request_id: 'another' }, true],
    ['that the intent was closed', { closed_at: 1 }, true],
    ['that a later order was sent', { others: [{ ...order, ordinal: 2 }] }, true],
    [
      'a later order that is unsent',
      { others: [{ ...order, ordinal: 2, sending: 'unsent' }] },
      false,
    ],
    ['an earlier order', { others: [{ ...order, ordinal: 0 }] }, false],
  ] satisfies [string, Change, boolean][])
    it(`${news ? 'counts' : 'does not count'} as news ${what}`, () =>
      assert.equal(isNews(waited(), found(change)), news));

  it('does not count as news that the intent is still closed', () =>
    assert.equal(isNews(waited({ closed_at: 1 }), found({ closed_at: 1 })), false));
});

describe('a change of an order that a page waits for', () => {
  it('takes a new schedule over without a read when this relay wrote it', () => {
    const page = waited();
    const written = { ...order, next_check_at: 99, version: 6 };
    assert.equal(noteChange(page, { type: 'written', order: written }), true);
    assert.deepEqual([page.isStale, page.next_check_at, page.version], [false, 99, 6]);
  });

  it('wakes no page for a change that the page knows', () => {
    const page = waited();
    assert.equal(noteChange(page, { type: 'written', order }), false);
    assert.equal(noteChange(page, seen), false);
    assert.equal(page.isStale, false);
  });

  for (const [what, change] of [
    ['another status', { type: 'written', order: { ...order, status: 20, version: 6 } }],
    ['another order', { type: 'written', order: { ...order, request_id: 'another' } }],
    ['a newer version', { ...seen, version: 6 }],
    ['the same version of another order', { ...seen, request_id: 'another' }],
    ['a closed intent', { ...seen, closed_at: 1 }],
    ['a close by this relay', { type: 'closed' }],
  ] satisfies [string, Parameters<typeof noteChange>[1]][])
    it(`makes a long poll read its order when a change has ${what}`, () => {
      const page = waited();
      assert.equal(noteChange(page, change), true);
      assert.equal(page.isStale, true);
    });

  it('does not wake a page that knows that the intent is closed', () => {
    const page = waited({ closed_at: 1 });
    assert.equal(noteChange(page, { type: 'closed' }), false);
    assert.equal(noteChange(page, { ...seen, closed_at: 1 }), false);
  });

  it('takes over a new schedule of the same version, such as another relay’s lease', () => {
    const page = waited();
    refresh(page, { ...order, next_check_at: 99 });
    assert.equal(page.next_check_at, 99);
  });

  it('keeps a newer row when a read that began earlier returns an older row', () => {
    const page = waited();
    noteChange(page, { type: 'written', order: { ...order, next_check_at: 99, version: 6 } });
    refresh(page, { ...order, next_check_at: 1 });
    assert.deepEqual([page.next_check_at, page.version], [99, 6]);
  });
});
