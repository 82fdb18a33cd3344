/** An order that the service has is claimed although the ledger would refuse it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Claim } from '../../../../relay/ledger/ledger.js';
import { claimDespiteRefusal } from '../../../../relay/orders/claim-despite-refusal.js';
import { unknownIntent } from '../../../../relay/orders/new-order.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts, type Parts } from './parts.js';

const claim: Claim = { intent: freshIntent, order: fresh, after: null };
/** The ledger has no such link, so it refuses a claim by it. */
const payLink = { pay_link_id: 'gone', now: 0 };
const [paid, open] = ['paid', 'open'].map((id) => unknownIntent(id, 0));

/** A ledger with a paid intent, which no token can supersede, and an open one. */
async function superseding(): Promise<Parts> {
  const parts = await createParts();
  await parts.add({ intent_id: 'open', request_id: 'r-open' });
  await parts.add({ intent_id: 'paid', request_id: 'r-paid' });
  const answer = { status: 20, request_id: 'r-paid' };
  const at = parts.clock.now();
  await parts.store.apply('r-paid', { type: 'query_answered', at, answer });
  return parts;
}

describe('the claim of an order that the service has', () => {
  it('claims once when nothing refuses it', async () => {
    const { context } = await createParts();
    const claims: Claim[] = [];
    const { claimOrder } = context.ledger;
    context.ledger.claimOrder = (each) => {
      claims.push(each);
      return claimOrder(each);
    };
    assert.equal((await claimDespiteRefusal(context, claim)).claimed, true);
    assert.deepEqual(claims, [claim]);
  });

  it('claims without the pay link when the link is closed', async () => {
    const { context } = await createParts();
    const claimed = await claimDespiteRefusal(context, { ...claim, payLink });
    assert.deepEqual([claimed.claimed, claimed.order], [true, fresh]);
    assert.equal((await context.ledger.intent('i1'))?.current_request_id, fresh.request_id);
  });

  it('still supersedes the former intents when the link is closed', async () => {
    const { context } = await createParts();
    await claimDespiteRefusal(context, { ...claim, payLink, supersedes: [open!] });
    assert.equal((await context.ledger.intent('open'))?.superseded_by, 'i1');
  });

  it('closes the open former intents when one of them is paid', async () => {
    const { clock, context } = await superseding();
    const supersedes = [paid!, open!];
    const claimed = await claimDespiteRefusal(context, { ...claim, supersedes });
    assert.deepEqual([claimed.claimed, claimed.order], [true, fresh]);
    const rows = await Promise.all(['open', 'paid'].map(context.ledger.intent));
    assert.deepEqual(
      rows.map((row) => [row?.closed_at, row?.close_reason, row?.superseded_by]),
      [
        [clock.now(), null, null],
        [null, null, null],
      ],
    );
  });

  it('claims an order that is refused for both reasons', async () => {
    const { context } = await superseding();
    const both = { ...claim, payLink, supersedes: [paid!] };
    assert.equal((await claimDespiteRefusal(context, both)).claimed, true);
  });
});
