/** A token supersedes no intent that is paid. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { checkUnpaid, supersedeLost } from '../../../../relay/orders/check-unpaid.js';
import { unknownIntent } from '../../../../relay/orders/new-order.js';
import type { FoundIntents } from '../../../../relay/orders/lost-intents.js';
import { createRestored } from '../../../../relay/orders/restored.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts } from './parts.js';

type Known = { intent?: Partial<IntentRow>; orders?: OrderRow[] };

/**
 * Checks the intents `has`, which the ledger has, and then `lacks`, which it lacks.
 *
 * @param lost what the search for the second intent finds
 */
async function check({ intent, orders = [] }: Known, lost: FoundIntents | 'paid' = nothing) {
  const { context, store } = await createParts();
  const row = { ...freshIntent, intent_id: 'has', ...intent };
  const searched: IntentRow[] = [];
  const restored = {
    ...createRestored(context, store),
    findLost: async (lacking: readonly IntentRow[]) => {
      searched.push(...lacking);
      return lost;
    },
  };
  const refreshIntent = async (id: string) => (id === 'has' ? { intent: row, orders } : null);
  const superseded = ['has', 'lacks'].map((id) => unknownIntent(id, 0));
  const checked = checkUnpaid(context, { refreshIntent, restored }, superseded);
  return { checked, searched, superseded };
}
const nothing: FoundIntents = { intents: [], orders: [] };
const refused = { code: 'already_paid', field: 'order_token' };
const inReview: OrderRow = { ...fresh, outcome: 'review', review_reason: 'by_table', status: 20 };

describe('the intents that a token supersedes', () => {
  it('may be superseded when none is paid, and are claimed with what was lost', async () => {
    const found = { ...unknownIntent('lacks', 0), amount: '12.50' };
    const lost = { intents: [found], orders: [{ order: fresh, answer: { status: 10 } }] };
    const { checked, searched, superseded } = await check({}, lost);
    const claim = supersedeLost(superseded, await checked);
    assert.deepEqual(searched, [superseded[1]]);
    assert.deepEqual(claim, { supersedes: [superseded[0], found], lostOrders: [fresh] });
  });

  for (const [what, known] of [
    ['paid', { intent: { paid_request_id: 'r1' } }],
    ['in review and called paid', { orders: [inReview] }],
  ] satisfies [string, Known][])
    it(`refuses the token when an intent is ${what}, and closes no other`, async () => {
      const { checked, searched } = await check(known);
      await assert.rejects(checked, refused);
      assert.deepEqual(searched, []);
    });

  it('accepts the token when the paid intent was closed before', async () => {
    const { checked } = await check({ intent: { paid_request_id: 'r1', closed_at: 1 } });
    assert.deepEqual(await checked, nothing);
  });

  it('refuses the token when a lost intent is paid', async () =>
    assert.rejects((await check({}, 'paid')).checked, refused));
});
