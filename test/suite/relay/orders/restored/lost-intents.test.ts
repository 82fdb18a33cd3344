/** The relay closes and follows intents that a restored ledger lost with all their orders. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Intent } from '../../../../../relay/ledger/intent.js';
import { unknownIntent, type IntentRow } from '../../../../../relay/ledger/rows.js';
import { createLostIntents } from '../../../../../relay/orders/restored/lost-intents.js';
import { MAX_ORDERS } from '../../../../../relay/orders/order-limits.js';
import { unanswered } from '../parts.js';
import { codeOf, createRestoredParts, ECHOES } from './restored-parts.js';
import { findOrder, ordersOf } from '../../../support/ledger-calls.js';

const closed: IntentRow = { ...unknownIntent('t1', 5), closed_at: 7, close_reason: 'sold out' };

/** What the ledger has of the intent itself. */
function rowOf(intent: Intent | null): IntentRow {
  const {
    orders: _orders,
    resolutions: _resolutions,
    version: _version,
    ...row
  } = intent ?? assert.fail('the ledger lacks the intent');
  return row;
}

describe('the close of an intent that a restored ledger lost', () => {
  it('writes the intent as closed with its orders, and applies their answers', async () => {
    const { clock, context, idOf, known, restored } = await createRestoredParts(0, ECHOES);
    const [first, third] = [await idOf(1, 't1', 'token'), await idOf(3, 't1', 'token')];
    known.set(first, 30).set(third, 11);
    assert.equal(await restored.closeLost(closed), 'closed');
    assert.deepEqual(rowOf(await context.ledger.intent('t1')), {
      ...closed,
      amount: '12.50',
      currency: 'USD',
      event_count: 1,
    });
    assert.deepEqual(
      (await ordersOf(context.ledger, 't1')).map((order) => [
        order.request_id,
        order.ordinal,
        order.created_at,
        order.lost_at,
        order.amount,
        order.outcome,
      ]),
      [
        [first, 1, clock.now(), clock.now(), '12.50', 'failed'],
        [third, 3, clock.now(), clock.now(), '12.50', 'pending'],
      ],
    );
  });

  it('writes the mode that the service knows the order of a page by', async () => {
    const { context, idOf, known, restored } = await createRestoredParts();
    known.set(await idOf(1, 'web.one', 'catalogue'), 11);
    await restored.closeLost({ ...closed, intent_id: 'web.one' });
    assert.equal((await context.ledger.intent('web.one'))?.mode, 'catalogue');
  });

  it('writes nothing when the service knows no order of the intent', async () => {
    const { context, queried, restored } = await createRestoredParts();
    assert.equal(await restored.closeLost(closed), 'unknown');
    assert.equal(queried.length, MAX_ORDERS);
    assert.equal(await context.ledger.intent('t1'), null);
  });

  it('writes nothing when one of the orders is paid, and logs which one', async () => {
    const { context, idOf, known, lines, restored } = await createRestoredParts();
    const paid = await idOf(2, 't1', 'token');
    known.set(await idOf(1, 't1', 'token'), 30).set(paid, 20);
    assert.equal(await restored.closeLost(closed), 'paid');
    const message = 'the ledger was restored and lacks an order that is paid';
    assert.deepEqual(lines, [
      ['error', 'restored', { intent_id: 't1', request_id: paid, message }],
    ]);
    assert.equal(await context.ledger.intent('t1'), null);
  });

  it('refuses to close the intent while the service gives no usable answer', async () => {
    const { context, restored, service } = await createRestoredParts();
    service.query = unanswered;
    assert.equal(await restored.closeLost(closed).catch(codeOf), 'service_unavailable');
    assert.equal(await context.ledger.intent('t1'), null);
  });

  it('keeps an order that another relay has written since', async () => {
    const { add, context, idOf, known, restored } = await createRestoredParts();
    const request_id = await idOf(1, 't1', 'token');
    known.set(request_id, 30);
    const other = await add({ intent_id: 't1', request_id });
    assert.equal(await restored.closeLost(closed), 'closed');
    assert.deepEqual(await findOrder(context.ledger, request_id), other);
  });
});

describe('the following of a closed intent that a restored ledger lost', () => {
  const following = async () => {
    const parts = await createRestoredParts();
    const asked: string[] = [];
    const applied: unknown[] = [];
    const { follow } = createLostIntents(parts.context, {
      ask: async (requestId) => {
        asked.push(requestId);
        const status = parts.known.get(requestId);
        return status === undefined ? null : { status, request_id: requestId };
      },
      applyAnswer: async ({ request_id }, { status }) => void applied.push([request_id, status]),
    });
    return { ...parts, applied, asked, follow };
  };

  it('writes the orders that the service knows, also a paid one', async () => {
    const { applied, context, follow, idOf, known } = await following();
    const paid = await idOf(2, 't1', 'token');
    known.set(paid, 20);
    assert.equal(await follow(closed), true);
    assert.deepEqual(applied, [[paid, 20]]);
    assert.deepEqual(rowOf(await context.ledger.intent('t1')), closed);
  });

  it('writes nothing when the service knows no order of the intent', async () => {
    const { context, follow } = await following();
    assert.equal(await follow(closed), false);
    assert.equal(await context.ledger.intent('t1'), null);
  });

  it('asks nothing when the ledger has an order of the intent', async () => {
    const { add, asked, follow, idOf, known } = await following();
    await add({ intent_id: 't1' });
    known.set(await idOf(2, 't1', 'token'), 20);
    assert.equal(await follow(closed), false);
    assert.deepEqual(asked, []);
  });
});
