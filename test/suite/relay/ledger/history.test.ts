/** The history of an order holds each fact once, and no more than there is room for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBody, writeBody } from '../../../../relay/ledger/body.js';
import { MAX_FACTS, MAX_FACTS_WHEN_REPLACED, paidAt } from '../../../../relay/ledger/history.js';
import { orderOf } from '../../../../relay/ledger/intent.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { Fact, OrderRow } from '../../../../relay/ledger/rows.js';
import {
  addingLost,
  asNew,
  claiming,
  reclaiming,
  recorded,
  repairing,
  settlingUnpaid,
} from '../../../../relay/ledger/rules.js';
import { createOrderStore } from '../../../../relay/orders/order-store.js';
import type { OrderEvent } from '../../../../relay/orders/order-event.js';
import { adopted } from '../../../../relay/orders/restored/lost-order.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { createLedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import { completeClock, noMetrics, systemClock } from '../../../../relay/runtime.js';
import { fresh, freshIntent, ref } from '../orders/fresh-order.js';
import { readSecret, testConfig } from '../../support/world.js';

const CLAIM = { intent: freshIntent, order: fresh, after: null };
const answer = (status: number) => ({
  status,
  request_id: 'r1',
  currency: 'USD',
  order_amount: '12.50',
});

/** The facts of an order after events that the relay applies one after the other. */
async function factsAfter(...events: readonly OrderEvent[]): Promise<readonly Fact[]> {
  const ledger = memoryLedger();
  await ledger.change('i1', claiming(CLAIM, 1));
  const ledgerClock = createLedgerClock(ledger, completeClock(systemClock), () => {});
  const config = parseConfig(testConfig, readSecret);
  const deps = { config, ledger, ledgerClock };
  const store = createOrderStore({ ...deps, log() {}, metrics: noMetrics });
  for (const event of events) await store.apply(ref('r1'), event);
  return (await ledger.find('r1'))?.order.history ?? [];
}

describe('the history of an order', () => {
  it('names the claim, the answer, each status once, and the payment', async () => {
    const found = await factsAfter(
      { type: 'pay_answered', at: 2, answer: answer(11) },
      { type: 'query_answered', at: 3, answer: answer(11) },
      { type: 'query_missed', at: 4 },
      { type: 'query_answered', at: 5, answer: answer(12) },
      { type: 'query_answered', at: 6, answer: answer(20) },
    );
    assert.deepEqual(found, [
      { at: 1, sending: 'claimed' },
      { at: 2, sending: 'answered', status: 11 },
      { at: 5, status: 12, outcome: 'unmapped' },
      { at: 6, status: 20, outcome: 'succeeded' },
    ]);
    const paid = { history: found, outcome: 'succeeded' } as const;
    assert.equal(paidAt(paid), 6);
    assert.equal(paidAt({ ...paid, outcome: 'review' }), null);
  });

  it('names a lost answer, a refusal, and a request of which nothing was sent', async () => {
    assert.deepEqual(await factsAfter({ type: 'pay_lost', at: 2 }), [
      { at: 1, sending: 'claimed' },
      { at: 2, sending: 'lost', outcome: 'confirming' },
    ]);
    assert.deepEqual((await factsAfter({ type: 'pay_refused', at: 2 })).at(-1), {
      at: 2,
      sending: 'refused',
      outcome: 'confirming',
    });
    assert.deepEqual((await factsAfter({ type: 'pay_unsent', at: 2 })).at(-1), {
      at: 2,
      sending: 'unsent',
    });
  });

  it('names a status that comes after the payment, which stays', async () => {
    const found = await factsAfter(
      { type: 'pay_answered', at: 2, answer: answer(20) },
      { type: 'query_answered', at: 3, answer: answer(30) },
      { type: 'query_answered', at: 4, answer: answer(30) },
    );
    assert.deepEqual(found.slice(1), [
      { at: 2, sending: 'answered', status: 20, outcome: 'succeeded' },
      { at: 3, status: 30, review_reason: 'status_after_success' },
    ]);
  });

  it('names no status of an answer about another order', async () => {
    const found = await factsAfter(
      { type: 'pay_answered', at: 2, answer: answer(11) },
      { type: 'query_answered', at: 3, answer: { ...answer(20), request_id: 'r2' } },
    );
    assert.deepEqual(found.at(-1), {
      at: 3,
      outcome: 'review',
      review_reason: 'request_id_mismatch',
    });
  });

  it('keeps what is known when an order of which nothing was sent is claimed again', () => {
    const { intent } = claiming(CLAIM, 1)(null, '') ?? { intent: asNew(freshIntent) };
    const unsent: OrderRow = { ...fresh, sending: 'unsent', next_check_at: null, version: 2 };
    const told = recorded(intent, unsent, { at: 2 });
    const card: OrderRow = { ...fresh, option: 'card', created_at: 3, version: 3 };
    const again = reclaiming(unsent)(card, 3)(told, '');
    assert.deepEqual(again?.intent.orders[0]?.history, [
      { at: 1, sending: 'claimed' },
      { at: 2, sending: 'unsent' },
      { at: 3, sending: 'claimed' },
    ]);
  });

  it('begins with the loss when a restored ledger lacked the order', () => {
    const lost = addingLost(adopted(fresh, 5), 5, freshIntent)(null, '');
    assert.deepEqual(lost?.intent.orders[0]?.history, [
      { at: 5, sending: 'lost', outcome: 'confirming' },
    ]);
  });

  it('names the end of a code once, with the time that the customer saw', () => {
    const order: OrderRow = { ...fresh, expires_at: 900 };
    const { intent } = claiming({ ...CLAIM, order }, 1)(null, '') ?? { intent: asNew(freshIntent) };
    const over = recorded(intent, { ...order, has_expired: true, version: 2 }, { at: 905 });
    const again = recorded(over, { ...order, has_expired: true, version: 3 }, { at: 910 });
    assert.deepEqual(orderOf(again, 'r1')?.history.slice(1), [{ at: 905, expired_at: 900 }]);
  });

  it('gets no fact when a schedule is repaired, or the intent is reported as unpaid', () => {
    const row = { ...freshIntent, unpaid_due_at: 5 };
    const claimed = claiming({ ...CLAIM, intent: row }, 1)(null, '')?.intent ?? null;
    const longest = { claimMs: 1, checkMs: () => 1 };
    const repaired = repairing(2, longest, new Map())(claimed, '')?.intent ?? null;
    const settled = settlingUnpaid(9, () => 'drop')(repaired, '')?.intent;
    assert.notEqual(repaired?.orders[0]?.next_check_at, fresh.next_check_at);
    assert.equal(settled?.unpaid_due_at, null);
    assert.deepEqual(settled?.orders[0]?.history, [{ at: 1, sending: 'claimed' }]);
  });

  it('keeps the first and the last facts, and counts the others', () => {
    let intent = claiming(CLAIM, 0)(null, '')?.intent ?? asNew(freshIntent);
    const changes = 1000;
    for (let at = 1; at <= changes; at++)
      intent = recorded(intent, { ...fresh, version: at + 1 }, { at, status: at });
    const found = orderOf(intent, 'r1')?.history ?? [];
    assert.equal(found.length, MAX_FACTS);
    assert.deepEqual(found[0], { at: 0, sending: 'claimed' });
    assert.deepEqual(found.at(-1), { at: changes, status: changes });
    const gapAt = found.findIndex(({ omitted }) => omitted !== undefined);
    const { at, omitted = 0 } = found[gapAt] ?? { at: NaN };
    assert.equal(found.length - 1 + omitted, changes + 1);
    assert.equal(at, (found[gapAt - 1]?.at ?? NaN) + 1);
    assert.deepEqual(readBody(writeBody(intent)).orders[0]?.history, found);
  });

  it('is shortened once the order stays replaced, and counts what was left out', () => {
    const first = claiming(CLAIM, 0)(null, '')?.intent ?? asNew(freshIntent);
    const facts = 40;
    let intent = first;
    for (let at = 1; at < facts; at++)
      intent = recorded(intent, { ...fresh, version: at + 1 }, { at, status: at });
    const second: OrderRow = { ...fresh, request_id: 'r2', ordinal: 2 };
    const claim = { ...CLAIM, order: second, after: 'r1' };
    intent = claiming(claim, facts)(intent, '')?.intent ?? intent;
    assert.equal(orderOf(intent, 'r1')?.history.length, facts, 'the second may not be sent');
    const answered: OrderRow = { ...second, sending: 'answered', version: 2 };
    intent = recorded(intent, answered, { at: facts });
    const found = orderOf(intent, 'r1')?.history ?? [];
    assert.equal(found.length, MAX_FACTS_WHEN_REPLACED);
    assert.equal(found.length - 1 + (found[4]?.omitted ?? 0), facts);
    assert.deepEqual([found[3]?.at, found[4]?.at, found.at(-1)?.at], [3, 4, facts - 1]);
  });
});
