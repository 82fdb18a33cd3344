/** Which events are delivered again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_UNDELIVERED } from '../../../../relay/ledger/operator-ledger.js';
import { withEvents } from '../../../../relay/ledger/rules.js';
import { resend } from '../../../../relay/operator/resend.js';
import { ref } from '../orders/fresh-order.js';
import { createParts } from '../orders/parts.js';
import { askedAt } from '../../support/ledger-calls.js';

const HOOKS = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };

describe('resend', () => {
  it('sends all that the shop lacks, also when there is more than one call returns', async () => {
    const { add, clock, context, store } = await createParts({ shop_events: HOOKS });
    const { ledger } = context;
    for (const id of ['1', '2', '3']) {
      await add({ request_id: `r${id}`, intent_id: `i${id}` });
      const answer = { status: 30, request_id: `r${id}` };
      const at = clock.now();
      await store.apply(ref(`r${id}`, `i${id}`), { type: 'query_answered', at, answer });
    }
    const [delivered, ...others] = await ledger.leaseDueEvents(clock.now(), clock.now() + 1, 9);
    await ledger.recordDelivery(delivered!, { deliveredAt: clock.now() });
    await ledger.resend([delivered!.event_id], clock.now(), askedAt(clock.now()));
    for (const event of others)
      await ledger.recordDelivery(event, { nextTryAt: null, failure: 'HTTP 500' });
    const [newest] = await ledger.undelivered();
    ledger.undelivered = async () => Array.from({ length: MAX_UNDELIVERED }, () => newest!);
    const counted: number[] = [];
    const which = { since: 0, undelivered: true } as const;
    await clock.advance(1);
    const { resent } = await resend(context, which, 'Ann', (count) => void counted.push(count));
    assert.deepEqual([resent, counted], [2, [2]]);
    const due = await ledger.leaseDueEvents(clock.now(), clock.now() + 1, 9);
    const ids = (events: readonly { event_id: string }[]) =>
      events.map(({ event_id }) => event_id).sort();
    assert.deepEqual(ids(due), ids([delivered!, ...others]));
  });

  it('sends all since a moment in steps, and tells after each how many are due', async () => {
    const { add, clock, context } = await createParts({ shop_events: HOOKS });
    const { ledger } = context;
    await add();
    const since = clock.now();
    await ledger.change('i1', (intent) => {
      const events = Array.from({ length: 1100 }, (_, index) => ({
        event_id: `e${index}`,
        intent_id: 'i1',
        sequence: index,
        type: 'order.created' as const,
        body: '{}',
        created_at: index < 100 ? since - 1 : since + (index % 7),
        next_try_at: null,
        traceparent: null,
      }));
      return withEvents(intent!, events);
    });
    await clock.advance(10);
    const counted: number[] = [];
    const note = (count: number): void => void counted.push(count);
    assert.deepEqual(await resend(context, { since }, 'Ann', note), { resent: 1000 });
    assert.equal(counted[0], 500);
    assert.equal(counted.at(-1), 1000);
    assert.equal((await ledger.outbox()).waiting, 1000);
    counted.length = 0;
    assert.equal((await resend(context, { since, undelivered: true }, 'Ann', note)).resent, 1000);
    assert.deepEqual(counted, [500, 1000]);
  });
});
