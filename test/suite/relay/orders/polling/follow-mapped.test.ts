/** Orders whose status had no name are asked about again, once the table names it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../../../../relay/contract/durations.js';
import type { OrderRow } from '../../../../../relay/ledger/rows.js';
import type { Context } from '../../../../../relay/orders/context.js';
import { createOrderStore } from '../../../../../relay/orders/order-store.js';
import { createFollowMapped } from '../../../../../relay/orders/polling/follow-mapped.js';
import { createParts, type Parts } from '../parts.js';

const UNMAPPED = { outcome: 'unmapped', status: 55, next_check_at: null } as const;

/** The same relay with a table that names the status 55. */
const naming = ({ context }: Parts): Context => ({
  ...context,
  config: { ...context.config, statuses: { ...context.config.statuses, '55': 'succeeded' } },
});
const followIn = (context: Context): (() => Promise<void>) =>
  createFollowMapped(context, createOrderStore(context));

const addTo = ({ add }: Parts, id: string, order: Partial<OrderRow>): Promise<OrderRow> =>
  add({ request_id: id, intent_id: `i ${id}`, ...order });

async function dueTimes({ context }: Parts, ids: readonly string[]): Promise<(number | null)[]> {
  const found = await Promise.all(ids.map((id) => context.ledger.find(id)));
  return found.map((each) => each?.order.next_check_at ?? null);
}

describe('a table that names a status', () => {
  it('makes the orders due that nobody asks about any more and that have this status', async () => {
    const parts = await createParts();
    const now = parts.clock.now();
    await addTo(parts, 'old', UNMAPPED);
    await addTo(parts, 'other', { ...UNMAPPED, status: 77 });
    await addTo(parts, 'followed', { ...UNMAPPED, next_check_at: now + 5 });
    await addTo(parts, 'failed', { ...UNMAPPED, outcome: 'failed' });
    await addTo(parts, 'beside', UNMAPPED);
    const inReview = {
      outcome: 'review',
      review_reason: 'two_links',
      next_check_at: null,
    } as const;
    await parts.add({ request_id: 'review', intent_id: 'i beside', ordinal: 2, ...inReview });
    const ids = ['old', 'other', 'followed', 'failed', 'beside', 'review'];
    await followIn(parts.context)();
    assert.deepEqual(await dueTimes(parts, ids), [null, null, now + 5, null, null, null]);
    await followIn(naming(parts))();
    assert.deepEqual(await dueTimes(parts, ids), [now, null, now + 5, null, now, null]);
  });

  it('reaches every order in steps, and goes through them once', async () => {
    const parts = await createParts();
    const ids = Array.from({ length: 120 }, (_, index) => `r${index}`);
    for (const id of ids) await addTo(parts, id, UNMAPPED);
    const follow = followIn(naming(parts));
    const due = async () => (await dueTimes(parts, ids)).filter((at) => at !== null).length;
    await follow();
    const first = await due();
    assert.ok(first > 0 && first < ids.length, `${first} in one step`);
    for (let step = 0; step < 5; step++) await follow();
    assert.equal(await due(), ids.length);
    await addTo(parts, 'later', UNMAPPED);
    await follow();
    assert.deepEqual(await dueTimes(parts, ['later']), [null]);
  });

  it('follows the order again when a relay with the former table asks first', async () => {
    const parts = await createParts();
    const at = parts.clock.now();
    const age = { created_at: at - 30 * DAY_MS, aged_from: at - 30 * DAY_MS };
    const order = await addTo(parts, 'old', { ...UNMAPPED, ...age });
    await followIn(naming(parts))();
    const answer = { status: 55, request_id: 'old' };
    await parts.store.apply(order, { type: 'query_answered', at, answer });
    const found = (await parts.context.ledger.find('old'))?.order;
    assert.equal(found?.outcome, 'unmapped');
    assert.ok((found?.next_check_at ?? 0) > at, 'another relay asks within the hour');
  });
});
