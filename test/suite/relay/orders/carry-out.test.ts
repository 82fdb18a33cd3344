/** A query of an order is written over the row that the relay knows, or over the stored one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryAndCarryOut } from '../../../../relay/orders/carry-out.js';
import { readOrder } from '../../../../relay/orders/order-store.js';
import { RESTORED_AT } from '../../../../relay/orders/restored/restored-at.js';
import { createParts, refusing, unanswered, type Parts } from './parts.js';
import { findOrder } from '../../support/ledger-calls.js';
import { testConfig } from '../../support/world.js';

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

  for (const [why, isSent, prepare] of [
    [
      'another order of the intent is in review, and called paid',
      false,
      async ({ add }) => {
        const review = { outcome: 'review', review_reason: 'amount_mismatch', status: 20 } as const;
        await add({ ...review, request_id: 'r0' });
      },
    ],
    [
      'the ledger was restored, and may lack the order that was paid',
      false,
      async ({ context }) => {
        const at = JSON.stringify(context.ledgerClock.stamp());
        await context.ledger.writeSetting(RESTORED_AT, at);
      },
    ],
    ['nothing speaks against it', true, async () => {}],
  ] satisfies [string, boolean, (parts: Parts) => Promise<void>][])
    it(`${isSent ? 'sends' : 'does not send'} a lost order again when ${why}`, async () => {
      const parts = await createParts({
        service: { ...testConfig.service, resend_after_s: 1 },
      });
      const { add, clock, context, pays, service, store } = parts;
      await prepare(parts);
      const lost = { sending: 'lost', outcome: 'confirming', lost_at: clock.now() } as const;
      await add({ ...lost, ordinal: 2 });
      await clock.advance(600_000);
      service.query = refusing('4040');
      await queryAndCarryOut(context, store, await readOrder(context.ledger, 'r1'));
      assert.equal(pays.length, isSent ? 1 : 0);
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
