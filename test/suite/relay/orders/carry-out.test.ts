/** A query of an order is written over the row that the relay knows, or over the stored one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryAndCarryOut } from '../../../../relay/orders/carry-out.js';
import { readOrder } from '../../../../relay/orders/order-store.js';
import { createParts, unanswered } from './parts.js';
import { findOrder } from '../../support/ledger-calls.js';

describe('a query and what follows from it', () => {
  it('keeps the earlier end of a claim that was repaired during the query', async () => {
    const { add, clock, context, service, store } = await createParts();
    // a clock that ran an hour ahead set this end
    const claimed = await add({ sending: 'claimed', next_check_at: clock.now() + 3_600_000 });
    service.query = async () => {
      const longest = { checkMs: () => 3_600_000, claimMs: 4400, retryMs: [] };
      await context.ledger.repairSchedules(clock.now(), longest, null);
      return unanswered();
    };
    const { intent } = await readOrder(context.ledger, 'r1');
    await queryAndCarryOut(context, store, { intent, order: claimed });
    assert.equal((await findOrder(context.ledger, 'r1'))?.next_check_at, clock.now() + 4400);
  });

  it('does not read an order again that nobody is sending', async () => {
    const { add, context, store } = await createParts();
    await add();
    const found = await readOrder(context.ledger, 'r1');
    context.ledger.find = () => assert.fail('the order was read again');
    context.ledger.intent = () => assert.fail('the intent was read again');
    assert.equal((await queryAndCarryOut(context, store, found)).order.version, 2);
  });
});
