/** Which order an intent shows, and what an expired token still shows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../relay/contract/failure.js';
import type { IntentRow } from '../../../relay/ledger/rows.js';
import { contentDigest, type OrderIntent } from '../../../relay/intent/order-intent.js';
import { readIntent } from '../../../relay/intent/read-intent.js';
import { currentOrder, pageIntentId, resumeExpired } from '../../../relay/orders/current-order.js';
import { openIntent } from '../../support/world.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts, type Parts } from './parts.js';

/** A page's intent `i1`, its row, and the ledger that a test fills. */
async function known(): Promise<Parts & { intent: OrderIntent; row: Partial<IntentRow> }> {
  const parts = await createParts();
  const intent = await readIntent(parts.context.config, openIntent, 'i1');
  return { ...parts, intent, row: { content: await contentDigest(intent) } };
}
const failure = (error: unknown): unknown => {
  assert.ok(error instanceof Failure);
  return error.outcome === undefined ? error.code : [error.code, error.outcome];
};

describe('currentOrder', () => {
  it('finds no order of an intent without an id, an unknown one, and a new one', async () => {
    const { add, context, intent, row } = await known();
    assert.equal(await currentOrder(context, { ...intent, intent_id: null }), null);
    assert.equal(await currentOrder(context, intent), null);
    await add({ sending: 'unsent' }, row);
    assert.equal(await currentOrder(context, intent), null);
  });

  it('finds the last order of an intent, and the paid order once one is paid', async () => {
    const { add, clock, context, intent, row, store } = await known();
    await add({}, row);
    const second = await add({ request_id: 'r2', ordinal: 2 }, row);
    assert.deepEqual(await currentOrder(context, intent), second);
    const answer = { status: 20, request_id: 'r1' };
    await store.apply('r1', { type: 'query_answered', at: clock.now(), answer });
    assert.equal((await currentOrder(context, intent))?.request_id, 'r1');
  });

  it('finds no order of an open intent without any order', async () => {
    const { context, intent, row } = await known();
    const opened = { ...freshIntent, ...row };
    await context.ledger.claimOrder({ intent: opened, order: fresh, after: 'r9' });
    assert.equal(await currentOrder(context, intent), null);
  });

  it('refuses another content of the same identity', async () => {
    const { add, context, intent } = await known();
    await add();
    assert.equal(await currentOrder(context, intent).catch(failure), 'intent_conflict');
  });

  it('refuses an intent that was closed before any order, whatever its content', async () => {
    const { add, context, intent, row } = await known();
    const { ledger } = context;
    const order = await add({}, row);
    const closed = async (): Promise<void> =>
      void (await ledger.closeIntent((await ledger.intent('i1'))!, { at: 1, reason: null }));
    await closed();
    assert.deepEqual(await currentOrder(context, intent), order);
    const other = { ...intent, intent_id: 'i2' };
    await ledger.closeIntent((await unopened(order.intent_id, ledger))!, { at: 1, reason: null });
    assert.equal(await currentOrder(context, other).catch(failure), 'intent_closed');
  });

  it('returns the order before a replacement of which nothing was sent', async () => {
    const { add, context, intent, row } = await known();
    const standing = await add({}, row);
    await add({ request_id: 'r2', ordinal: 2, sending: 'unsent' }, row);
    assert.deepEqual(await currentOrder(context, intent), standing);
  });

  it('refuses a closed intent when nothing of its only order was sent', async () => {
    const { add, context, intent, row } = await known();
    await add({ sending: 'unsent' }, row);
    const stored = await context.ledger.intent('i1');
    await context.ledger.closeIntent(stored!, { at: 1, reason: null });
    assert.equal(await currentOrder(context, intent).catch(failure), 'intent_closed');
  });
});

/** The row of an intent `i2` that has no order. */
async function unopened(
  like: string,
  ledger: Parts['context']['ledger'],
): Promise<IntentRow | null> {
  const row = await ledger.intent(like);
  return row && { ...row, intent_id: 'i2', current_request_id: null, closed_at: null };
}

describe('resumeExpired', () => {
  it('shows the order of a token that expired less than a day ago', async () => {
    const { add, context, intent, row } = await known();
    const order = await add({}, row);
    assert.deepEqual(await resumeExpired(context, intent, false), order);
  });

  it('refuses to replace the order of an expired token, and tells its outcome', async () => {
    const { add, context, intent, row } = await known();
    await add({}, row);
    const expired = ['token_expired', 'pending'];
    assert.deepEqual(await resumeExpired(context, intent, true).catch(failure), expired);
    const stale = { ...intent, stale: true };
    assert.deepEqual(await resumeExpired(context, stale, false).catch(failure), expired);
  });

  it('opens no order for an expired token', async () => {
    const { context, intent } = await known();
    const refused = resumeExpired(context, intent, false);
    await assert.rejects(refused, { code: 'token_expired', field: 'order_token' });
  });
});

describe('pageIntentId', () => {
  it('derives the id of an attempt, unless the ledger has another id for it', async () => {
    const { context } = await known();
    const derived = await context.identity.intentIdOf('one');
    assert.equal(await pageIntentId(context, 'one'), derived);
    context.ledger.intentOf = async (attempt) => (attempt === 'one' ? 'older' : null);
    assert.equal(await pageIntentId(context, 'one'), 'older');
  });
});
