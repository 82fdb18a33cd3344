/** The changes of an intent that the tests of whole ledgers do not tell apart. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_FACTS_WHEN_REPLACED } from '../../../../relay/ledger/history.js';
import type { Intent } from '../../../../relay/ledger/intent.js';
import type { Fact, OrderRow, ResolutionRow } from '../../../../relay/ledger/rows.js';
import {
  asNew,
  ERASED,
  erasing,
  recorded,
  repairing,
  replacing,
} from '../../../../relay/ledger/rules.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const NOW = 100_000;
const resolution: ResolutionRow = {
  request_id: 'r1',
  resolved_as: 'failed',
  resolved_by: 'Ann',
  note: 'Bob called',
  review_reason: 'two_links',
  resolved_at: 5,
};
const facts: Fact[] = Array.from({ length: MAX_FACTS_WHEN_REPLACED * 2 }, (_, at) => ({
  at,
  status: at,
}));

const intentOf = (changes: Partial<Intent> = {}): Intent => ({
  ...asNew(freshIntent),
  orders: [fresh],
  ...changes,
});

describe('a write over an order', () => {
  const write = (stored: Partial<OrderRow>): boolean => {
    const rule = replacing(fresh)({ ...fresh, sending: 'answered' }, NOW);
    return rule(intentOf({ orders: [{ ...fresh, ...stored }] }), '') !== null;
  };

  it('needs the order as it was read', () => assert.equal(write({}), true));

  for (const stored of [
    { version: fresh.version + 1 },
    { sending: 'lost' },
    { created_at: fresh.created_at + 1 },
    { request_id: 'another' },
  ] as const)
    it(`is refused over one with ${JSON.stringify(stored)}`, () =>
      assert.equal(write(stored), false));

  it('keeps which order paid the intent when another order says something new', () => {
    const refused = { ...fresh, outcome: 'succeeded', resolved_as: 'failed' } as const;
    const other = { ...fresh, request_id: 'r2', ordinal: 2 };
    const intent = intentOf({ orders: [refused, other], paid_request_id: 'r1' });
    assert.equal(recorded(intent, { ...other, status: 30 }, { at: 1 }).paid_request_id, 'r1');
    const paid = { ...other, outcome: 'succeeded' } as const;
    assert.equal(recorded(intent, paid, { at: 1 }).paid_request_id, 'r2');
  });

  it('keeps all facts of a replaced order only when it is paid', () => {
    const kept = (['succeeded', 'failed'] as const).map((outcome) => {
      const first = { ...fresh, sending: 'answered', outcome, history: facts } as const;
      const second = { ...fresh, request_id: 'r2', ordinal: 2, sending: 'answered' } as const;
      const { orders } = recorded(intentOf({ orders: [first] }), second, { at: 1 });
      return orders[0]?.history.length;
    });
    assert.deepEqual(kept, [facts.length, MAX_FACTS_WHEN_REPLACED]);
  });
});

describe('an erased intent', () => {
  const over = { ...fresh, outcome: 'failed', next_check_at: null } as const;
  const erase = erasing({ at: NOW, by: 'Ann' });

  it('keeps no words of a person, and its reason only where it had one', () => {
    const intent = intentOf({ orders: [over], resolutions: [resolution], closed_at: 4 });
    const erased = erase(intent, '')?.intent;
    assert.deepEqual(erased?.resolutions, [{ ...resolution, note: ERASED }]);
    assert.equal(erased?.close_reason, null);
    const closed = erase({ ...intent, close_reason: 'for Bob' }, '')?.intent;
    assert.equal(closed?.close_reason, ERASED);
  });

  it('is not erased again, and none is made of nothing', () => {
    assert.equal(erase(intentOf({ orders: [over], erased_at: 4, erased_by: 'Bob' }), ''), null);
    assert.equal(erase(null, ''), null);
  });
});

describe('a repair of schedules', () => {
  const repair = repairing(NOW, { checkMs: () => 1000, claimMs: 500 }, new Map());

  it('changes an intent of which one order waits too long, and no other', () => {
    const due = { ...fresh, sending: 'answered', next_check_at: NOW } as const;
    const late = { ...due, request_id: 'r2', ordinal: 2, next_check_at: NOW + 5000 };
    const repaired = repair(intentOf({ orders: [due, late] }), '')?.intent.orders;
    assert.deepEqual(
      repaired?.map(({ next_check_at }) => next_check_at),
      [NOW, NOW],
    );
    assert.equal(repair(intentOf({ orders: [due] }), ''), null);
    assert.equal(repair(null, ''), null);
  });
});
