/** A token supersedes no intent that is paid. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IntentRow, OrderRow } from '../../../relay/ledger/rows.js';
import { checkUnpaid } from '../../../relay/orders/check-unpaid.js';
import { unknownIntent } from '../../../relay/orders/new-order.js';
import { createRestored } from '../../../relay/orders/restored.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts } from './parts.js';

type Outcome = 'unknown' | 'paid' | 'closed';
type Known = { intent?: Partial<IntentRow>; orders?: OrderRow[] };

/**
 * Checks the intents `has`, which the ledger has, and then `lacks`, which it lacks.
 *
 * @param lost what the search for the second intent finds
 */
async function check({ intent, orders = [] }: Known, lost: Outcome = 'unknown') {
  const { clock, context, store } = await createParts();
  const row = { ...freshIntent, intent_id: 'has', ...intent };
  const searched: IntentRow[] = [];
  const restored = {
    ...createRestored(context, store),
    closeLost: async (closed: readonly IntentRow[]): Promise<Outcome> => {
      searched.push(...closed);
      return lost;
    },
  };
  const refreshIntent = async (id: string) => (id === 'has' ? { intent: row, orders } : null);
  const superseded = ['has', 'lacks'].map((id) => unknownIntent(id, 0));
  const checked = checkUnpaid(context, { refreshIntent, restored }, superseded);
  return { checked, searched, closed: { ...superseded[1], closed_at: clock.now() } };
}
const refused = { code: 'already_paid', field: 'order_token' };
const inReview: OrderRow = { ...fresh, outcome: 'review', review_reason: 'by_table', status: 20 };

describe('the intents that a token supersedes', () => {
  for (const lost of ['unknown', 'closed'] as const)
    it(`may be superseded when none is paid, and the lost one is ${lost}`, async () => {
      const { checked, closed, searched } = await check({}, lost);
      await checked;
      assert.deepEqual(searched, [closed]);
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

  it('accepts the token when the paid intent was closed before', async () =>
    (await check({ intent: { paid_request_id: 'r1', closed_at: 1 } })).checked);

  it('refuses the token when a lost intent is paid', async () =>
    assert.rejects((await check({}, 'paid')).checked, refused));
});
