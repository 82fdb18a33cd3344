/** The check before a new order is claimed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import { type Amount, checkAmount, checkClaim } from '../../../../relay/orders/checks.js';
import { newIntent, type IdentifiedIntent } from '../../../../relay/orders/new-order.js';
import { openIntent } from '../../support/world.js';
import { createParts } from './parts.js';

const charged: Amount = { amount: '12.50', currency: 'USD' };

describe('the amount that the customer has seen', () => {
  it('accepts an equal amount, however many zeros it ends with', () => {
    checkAmount(charged, charged);
    checkAmount(charged, { ...charged, amount: '12.5' });
  });

  for (const [field, expect] of [
    ['amount', { ...charged, amount: '12.51' }],
    ['currency', { ...charged, currency: 'EUR' }],
  ] as const)
    it(`refuses a charge and names the ${field} when it differs`, () =>
      assert.throws(() => checkAmount(charged, expect), { code: 'not_as_expected', field }));
});

describe('the check before a claim', () => {
  const checking = async (request: object) => {
    const { breaker, context } = await createParts();
    const read = await readIntent(context.config, request, 'i1');
    const intent: IdentifiedIntent = { ...read, intent_id: 'i1' };
    return { breaker, context, intent, known: newIntent(intent, 0, null) };
  };

  it('accepts the amount that the customer has seen, and refuses any other', async () => {
    const { context, intent } = await checking(openIntent);
    checkClaim(context, intent, null, charged);
    const other = { ...charged, amount: '1' };
    assert.throws(() => checkClaim(context, intent, null, other), { code: 'not_as_expected' });
  });

  it('refuses a catalogue item that has another name than its intent', async () => {
    const { context, intent, known } = await checking({ sku: 'tee' });
    checkClaim(context, intent, known, undefined);
    const renamed = { ...intent, product_name: 'Blue T-shirt' };
    const code = 'intent_conflict';
    assert.throws(() => checkClaim(context, renamed, known, undefined), { code });
    checkClaim(context, renamed, null, undefined);
  });

  it('refuses every claim while the breaker is open', async () => {
    const { breaker, context, intent } = await checking(openIntent);
    breaker.open = true;
    const code = 'service_unavailable';
    assert.throws(() => checkClaim(context, intent, null, undefined), { code });
  });
});
