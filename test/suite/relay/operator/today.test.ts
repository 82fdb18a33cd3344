/** What sold today beside the same hours a week before, with what the relay has counted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../../../relay/contract/durations.js';
import { todayShape } from '../../../../relay/operator/shapes.js';
import { today } from '../../../../relay/operator/today.js';
import { createParts } from '../orders/parts.js';

const NOON = Date.parse('2026-11-27T12:00:00Z');
const NOW = NOON + 20 * 60_000;

/** Orders that were created at `at`, and paid after so many seconds; null: not paid. */
async function sold(
  orders: readonly { at: number; after: number | null; option?: string; currency?: string }[],
) {
  const { add, context, store } = await createParts();
  for (const [index, { after, at, currency = 'USD', option = 'qr' }] of orders.entries()) {
    const named = { request_id: `r${index}`, intent_id: `i${index}` };
    await add({ ...named, option, currency, created_at: at, aged_from: at }, { created_at: at });
    if (after === null) continue;
    const { request_id } = named;
    const paid = { status: 20, request_id, order_no: undefined };
    const answer = { ...paid, currency, order_amount: '12.50' };
    await store.apply(named, { type: 'query_answered', at: at + after * 1000, answer });
  }
  return context.ledger;
}

describe('today', () => {
  it('sums the last 24 hours and the same hours a week before, each hour for itself', async () => {
    const ledger = await sold([
      { at: NOON, after: 10 },
      { at: NOON + 60_000, after: 20, currency: 'EUR' },
      { at: NOON + 61_000, after: null },
      { at: NOON - 23 * HOUR_MS, after: 30 },
      // the hour before the first one
      { at: NOON - 23 * HOUR_MS - 1, after: 30 },
      { at: NOON - 168 * HOUR_MS + HOUR_MS - 1, after: 30 },
      { at: NOON - 168 * HOUR_MS + HOUR_MS, after: 30 },
    ]);
    const told = todayShape.parse(await today(ledger, NOW));
    assert.deepEqual(told.last_day.sum, {
      orders: 4,
      paid: 3,
      paid_amounts: { USD: '25.00', EUR: '12.50' },
    });
    assert.deepEqual(told.week_before.sum, { orders: 1, paid: 1, paid_amounts: { USD: '12.50' } });
    const { hours } = told.last_day;
    assert.deepEqual([hours.length, told.week_before.hours.length], [24, 24]);
    const [first, last] = [hours[0], hours.at(-1)];
    assert.deepEqual([first?.orders, last?.orders, last?.paid], [1, 3, 2]);
    assert.deepEqual(
      [first?.from, last?.from],
      ['2026-11-26T13:00:00.000Z', '2026-11-27T12:00:00.000Z'],
    );
    assert.equal(told.week_before.hours.at(-1)?.orders, 1);
  });

  it('tells of each option how many orders were paid, and after which time', async () => {
    const times = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 86_400];
    const ledger = await sold([
      ...times.map((after) => ({ at: NOON, after })),
      { at: NOON, after: null },
      { at: NOON, after: null, option: 'card' },
    ]);
    const [qr, card] = (await today(ledger, NOW)).options;
    assert.deepEqual([qr?.option, qr?.orders, qr?.paid, qr?.success_rate], ['qr', 11, 10, 0.909]);
    assert.ok(Math.abs((qr?.median_s ?? 0) / 80 - 1) < 0.15, `${qr?.median_s}`);
    assert.ok(Math.abs((qr?.p90_s ?? 0) / 1280 - 1) < 0.15, `${qr?.p90_s}`);
    assert.deepEqual(
      [card?.success_rate, card?.median_s, card?.p90_s, card?.paid_amounts],
      [0, null, null, {}],
    );
  });

  it('is a day of zeros when nothing was ordered', async () => {
    const ledger = await sold([]);
    const told = await today(ledger, NOW);
    assert.deepEqual(told.last_day.sum, { orders: 0, paid: 0, paid_amounts: {} });
    assert.deepEqual([told.options, told.complete], [[], true]);
  });
});
