/** To refresh an intent, the relay queries its orders and then reads the intent again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LongPoll } from '../../../../relay/orders/polling/long-poll.js';
import { createRefreshIntent } from '../../../../relay/orders/refresh-intent.js';
import { createParts } from './parts.js';

describe('refreshIntent', () => {
  const refreshing = async (adoptSuccessors: () => Promise<boolean> = async () => false) => {
    const parts = await createParts();
    const checked: unknown[] = [];
    const check: LongPoll['check'] = async ({ order }, ms, urgency) => {
      checked.push([order.request_id, ms, urgency]);
      const answer = { status: 20, request_id: order.request_id };
      const event = { type: 'query_answered', at: parts.clock.now(), answer } as const;
      return parts.store.apply(order, event);
    };
    const refresh = createRefreshIntent(parts.context, {
      longPoll: { check },
      restored: { adoptSuccessors },
    });
    return { ...parts, checked, refresh };
  };

  it('queries each order that is not paid, and reads the intent after that', async () => {
    const { add, checked, refresh } = await refreshing();
    await add({ outcome: 'succeeded' });
    await add({ request_id: 'r2', ordinal: 2 });
    const refreshed = await refresh('i1', 'urgent');
    assert.deepEqual(checked, [['r2', 2000, 'urgent']]);
    assert.equal(refreshed?.paid_request_id, 'r2');
    assert.deepEqual(
      refreshed?.orders.map(({ outcome, request_id }) => [request_id, outcome]),
      [
        ['r1', 'succeeded'],
        ['r2', 'succeeded'],
      ],
    );
  });

  it('returns null for an intent that the ledger does not have', async () =>
    assert.equal(await (await refreshing()).refresh('i1', 'asked'), null));

  it('reads the orders again when orders are found that a restore had lost', async () => {
    const parts = await refreshing(async () => {
      await parts.add({ request_id: 'r2', ordinal: 2 });
      return true;
    });
    await parts.add({ outcome: 'succeeded' });
    const refreshed = await parts.refresh('i1', 'asked');
    assert.deepEqual(
      refreshed?.orders.map(({ request_id }) => request_id),
      ['r1', 'r2'],
    );
    assert.equal(refreshed?.current_request_id, 'r2');
  });
});
