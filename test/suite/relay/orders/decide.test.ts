/** The action of a pay request, decided by the orders of its intent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Intent } from '../../../../relay/ledger/intent.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { asNew } from '../../../../relay/ledger/rules.js';
import { decide as decideAt, type Decision } from '../../../../relay/orders/decide.js';
import { agesAt, fresh, freshIntent, rules } from './fresh-order.js';

const intent = (current_request_id: string | null): IntentRow => ({
  ...freshIntent,
  current_request_id,
});

const order = (ordinal: number, change: Partial<OrderRow> = {}): OrderRow => ({
  ...fresh,
  request_id: `r${ordinal}`,
  ordinal,
  sending: 'answered',
  ...change,
});

/** Long after the orders of these tests were made. */
const NOW = 1_800_000_000_000;
/** The decision, without the intent that an order is shown with. */
function decide(
  row: IntentRow | null,
  orders: readonly OrderRow[],
  replaces: string | undefined,
): Omit<Decision, 'intent'> {
  const intent: Intent | null = row && { ...asNew(row), orders };
  const decision = decideAt(rules, intent, replaces, agesAt(NOW));
  if (decision.do !== 'show') return decision;
  const { intent: shownIn, ...shown } = decision;
  assert.equal(shownIn, intent);
  return shown;
}

describe('a pay', () => {
  it('claims the first order of an intent that has none', () => {
    const first = { do: 'claim', ordinal: 1, after: null };
    assert.deepEqual(decide(null, [], undefined), first);
    assert.deepEqual(decide(intent(null), [], undefined), first);
  });

  it('shows the current order when none is to be replaced', () => {
    const current = order(1);
    const shown = { do: 'show', order: current };
    assert.deepEqual(decide(intent('r1'), [current], undefined), shown);
  });

  it('shows the paid order, also when another order has replaced it', () => {
    const paid = order(1, { outcome: 'succeeded' });
    const orders = [paid, order(2)];
    assert.deepEqual(decide(intent('r2'), orders, undefined), { do: 'show', order: paid });
  });

  it('shows the paid order when its replacement never reached the service', () => {
    const paid = order(1, { outcome: 'succeeded' });
    const orders = [paid, order(2, { sending: 'unsent' })];
    assert.deepEqual(decide(intent('r2'), orders, undefined), { do: 'show', order: paid });
  });

  it('shows an order that is paid in review, also when pay replaces a later one', () => {
    const inReview = order(1, { outcome: 'review', status: 20 });
    const orders = [inReview, order(2)];
    for (const named of [undefined, 'r2'])
      assert.deepEqual(decide(intent('r2'), orders, named), { do: 'show', order: inReview });
  });

  it('refuses to replace an order when any order of the intent is paid', () => {
    const orders = [order(1, { outcome: 'succeeded' }), order(2)];
    for (const named of ['r1', 'r2'])
      assert.deepEqual(decide(intent('r2'), orders, named), {
        do: 'refuse',
        code: 'already_paid',
      });
  });

  it('claims the same order again when it never reached the service', () => {
    const unsent = order(1, { sending: 'unsent' });
    assert.deepEqual(decide(intent('r1'), [unsent], undefined), { do: 'claim_again', unsent });
  });

  it('shows the replaced order while its replacement is unsent, unless pay names it', () => {
    const standing = order(1);
    const unsent = order(2, { sending: 'unsent' });
    const decided = (replaces?: string) => decide(intent('r2'), [standing, unsent], replaces);
    assert.deepEqual(decided(), { do: 'show', order: standing });
    assert.deepEqual(decided('r2'), { do: 'show', order: standing });
    assert.deepEqual(decided('r1'), { do: 'claim_again', unsent });
  });

  it('replaces the current order when pay names it, and shows it when pay names another', () => {
    const orders = [order(1), order(2)];
    const third = { do: 'claim', ordinal: 3, after: 'r2' };
    assert.deepEqual(decide(intent('r2'), orders, 'r2'), third);
    assert.deepEqual(decide(intent('r2'), orders, 'r1'), { do: 'show', order: orders[1] });
  });

  it('refuses a pay of a closed intent, also when an order of the intent is paid', () => {
    const closed = { ...intent('r1'), closed_at: 5 };
    const refused = { do: 'refuse', code: 'intent_closed' };
    for (const current of [order(1), order(1, { outcome: 'succeeded' })])
      assert.deepEqual(decide(closed, [current], undefined), refused);
  });

  it('refuses to replace an order while five orders of the intent are open', () => {
    const orders = [1, 2, 3, 4, 5].map((ordinal) => order(ordinal));
    assert.deepEqual(decide(intent('r5'), orders, 'r5'), {
      do: 'refuse',
      code: 'too_many_replacements',
      waitMs: Infinity,
      lastSent: orders[4],
    });
  });

  it('claims a sixth order when five have ended', () => {
    const orders = [1, 2, 3, 4, 5].map((ordinal) => order(ordinal, { outcome: 'expired' }));
    const sixth = { do: 'claim', ordinal: 6, after: 'r5' };
    assert.deepEqual(decide(intent('r5'), orders, 'r5'), sixth);
  });
});
