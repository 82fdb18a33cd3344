/** Checks which order a page shows for its intent, and for an expired token. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../relay/contract/failure.js';
import { unknownIntent, type IntentRow } from '../../../../relay/ledger/rows.js';
import { contentDigest, type OrderIntent } from '../../../../relay/intent/order-intent.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import {
  checkSameItem,
  currentOrder,
  resumeExpired,
} from '../../../../relay/orders/current-order.js';
import { openIntent } from '../../support/world.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts, type Parts } from './parts.js';
import { claimOrder, closeIntent } from '../../support/ledger-calls.js';

/** Creates a page's intent `i1`, its row, and an empty ledger that a test fills. */
async function createPage(): Promise<Parts & { intent: OrderIntent; row: Partial<IntentRow> }> {
  const parts = await createParts();
  const intent = await readIntent(parts.context.config, openIntent, 'i1');
  return { ...parts, intent, row: { content: await contentDigest(intent) } };
}
const failure = (error: unknown): unknown => {
  assert.ok(error instanceof Failure);
  return error.outcome === undefined ? error.code : [error.code, error.outcome];
};

describe('currentOrder', () => {
  it('finds no order when the intent has no id, no row or only an unsent order', async () => {
    const { add, context, intent, row } = await createPage();
    assert.equal(await currentOrder(context, { ...intent, intent_id: null }), null);
    assert.equal(await currentOrder(context, intent), null);
    await add({ sending: 'unsent' }, row);
    assert.equal(await currentOrder(context, intent), null);
  });

  it('finds the last order of an intent, and the paid order once one is paid', async () => {
    const { add, clock, context, intent, row, store } = await createPage();
    await add({}, row);
    const second = await add({ request_id: 'r2', ordinal: 2 }, row);
    assert.deepEqual((await currentOrder(context, intent))?.order, second);
    const answer = { status: 20, request_id: 'r1' };
    await store.apply(
      { intent_id: 'i1', request_id: 'r1' },
      { type: 'query_answered', at: clock.now(), answer },
    );
    assert.equal((await currentOrder(context, intent))?.order.request_id, 'r1');
  });

  it('finds no order when the ledger has the intent without an order', async () => {
    const { context, intent, row } = await createPage();
    const opened = { ...freshIntent, ...row };
    await claimOrder(context.ledger, { intent: opened, order: fresh, after: 'r9' });
    assert.equal(await currentOrder(context, intent), null);
  });

  it('refuses an intent when the ledger has other content under its id', async () => {
    const { add, context, intent } = await createPage();
    await add();
    assert.equal(await currentOrder(context, intent).catch(failure), 'intent_conflict');
  });

  for (const [mode, field] of [
    ['token', 'order_token'],
    ['open', undefined],
  ] as const)
    it(`names ${field} in a conflict of mode ${mode}`, async () => {
      const { add, context, intent } = await createPage();
      await add({}, { mode });
      const conflict = { code: 'intent_conflict', field };
      await assert.rejects(currentOrder(context, { ...intent, mode }), conflict);
    });

  it('refuses an intent that was closed before any order, whatever its content', async () => {
    const { add, context, intent, row } = await createPage();
    const { ledger } = context;
    const order = await add({}, row);
    const closed = async (): Promise<void> =>
      void (await closeIntent(ledger, (await ledger.intent('i1'))!, { at: 1, reason: null }));
    await closed();
    assert.deepEqual((await currentOrder(context, intent))?.order, order);
    const other = { ...intent, intent_id: 'i2' };
    await closeIntent(ledger, (await unopened(order.intent_id, ledger))!, { at: 1, reason: null });
    assert.equal(await currentOrder(context, other).catch(failure), 'intent_closed');
    await closeIntent(ledger, unknownIntent('i3', 0), { at: 1, reason: null });
    const unknown = { ...intent, intent_id: 'i3' };
    assert.equal(await currentOrder(context, unknown).catch(failure), 'intent_closed');
  });

  it('returns the replaced order when its replacement was not sent', async () => {
    const { add, context, intent, row } = await createPage();
    const standing = await add({}, row);
    await add({ request_id: 'r2', ordinal: 2, sending: 'unsent' }, row);
    assert.deepEqual((await currentOrder(context, intent))?.order, standing);
  });

  it('refuses a closed intent when its only order was not sent', async () => {
    const { add, context, intent, row } = await createPage();
    await add({ sending: 'unsent' }, row);
    const stored = await context.ledger.intent('i1');
    await closeIntent(context.ledger, stored!, { at: 1, reason: null });
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

describe('checkSameItem', () => {
  const metadata = { table: '4' };
  const stored: IntentRow = {
    ...freshIntent,
    mode: 'catalogue',
    product_name: 'T-shirt',
    currency: 'USD',
  };
  const sold = async (change: Partial<OrderIntent> = {}): Promise<OrderIntent> => {
    const { context } = await createPage();
    return { ...(await readIntent(context.config, { sku: 'tee' }, 'i1')), ...change };
  };

  it('accepts the same item, also at another price', async () => {
    checkSameItem(stored, await sold({ amount: '25.00' }));
    const withMetadata = { ...stored, metadata: JSON.stringify(metadata) };
    checkSameItem(withMetadata, await sold({ metadata }));
  });

  for (const [what, change, row] of [
    ['another name', { product_name: 'Blue T-shirt' }, stored],
    ['another currency', { currency: 'EUR' }, stored],
    ['new metadata', { metadata }, stored],
    ['no metadata any more', {}, { ...stored, metadata: JSON.stringify(metadata) }],
  ] satisfies [string, Partial<OrderIntent>, IntentRow][])
    it(`refuses a further order of an item that has ${what}`, async () => {
      const intent = await sold(change);
      assert.throws(() => checkSameItem(row, intent), { code: 'intent_conflict' });
    });

  it('accepts any name when the intent is of no catalogue', async () => {
    for (const mode of ['token', 'open'] as const)
      checkSameItem({ ...stored, mode }, await sold({ product_name: 'Blue T-shirt' }));
  });
});

describe('resumeExpired', () => {
  it('shows the order of a token that expired less than a day ago', async () => {
    const { add, context, intent, row } = await createPage();
    const order = await add({}, row);
    assert.deepEqual((await resumeExpired(context, intent, false)).order, order);
  });

  it('refuses to replace the order of an expired token, and returns its outcome', async () => {
    const { add, context, intent, row } = await createPage();
    await add({}, row);
    const expired = ['token_expired', 'pending'];
    assert.deepEqual(await resumeExpired(context, intent, true).catch(failure), expired);
    const stale = { ...intent, stale: true };
    assert.deepEqual(await resumeExpired(context, stale, false).catch(failure), expired);
  });

  it('opens no order for an expired token', async () => {
    const { context, intent } = await createPage();
    const refused = resumeExpired(context, intent, false);
    await assert.rejects(refused, { code: 'token_expired', field: 'order_token' });
  });
});
