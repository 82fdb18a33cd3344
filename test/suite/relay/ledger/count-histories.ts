/** Random histories of orders, while two relays count them; the bodies then say what is right. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addDecimals, plainDecimal } from '../../../../relay/contract/decimal.js';
import type { Outcome } from '../../../../relay/contract/order.js';
import type { HourCount } from '../../../../relay/ledger/counts.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { replacing } from '../../../../relay/ledger/rules.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { claimOrder, purgeUnsent } from '../../support/ledger-calls.js';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;
const ALWAYS = { since: 0, until: Number.MAX_SAFE_INTEGER };

/** Two connections to one ledger, as two relays have them. */
export type Two = readonly [Ledger, Ledger];

const step = fc.record({
  what: fc.constantFrom(
    'create',
    'create',
    'succeeded',
    'failed',
    'expired',
    'review',
    'unsent',
    'count',
    'count',
    'purge',
    'recount',
    'restore',
  ),
  which: fc.nat(5),
  hour: fc.nat(1),
  option: fc.constantFrom('card', 'card', 'qr'),
  amount: fc.constantFrom('12.50', '0.000000000000000001', '999999999999999999'),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  after: fc.nat(200_000),
  limit: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
export const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), {
  minLength: 5,
  maxLength: 30,
  size: 'max',
});

/** Each list of steps runs at the same time. */
export async function runHistory(ledgers: Two, history: readonly (readonly Step[])[]) {
  for (const together of history) await Promise.all(together.map((each) => take(ledgers, each)));
  for (const ledger of ledgers) while (await ledger.countChanges(3));
}

async function take([ledger, other]: Two, each: Step): Promise<unknown> {
  const { limit, what } = each;
  switch (what) {
    case 'create':
      return create(ledger, each);
    case 'count':
      return Promise.all([ledger.countChanges(limit), other.countChanges(limit)]);
    case 'purge':
      await purgeUnsent(other, START + HOUR_MS, 1);
      return other.purge(START + HOUR_MS, limit, null);
    case 'recount':
      return ledger.recount();
    case 'restore':
      return other.writeSetting('epoch', crypto.randomUUID());
    case 'unsent':
      return end(ledger, each, 'pending', 'unsent');
    default:
      return end(ledger, each, what, 'answered');
  }
}

async function create(ledger: Ledger, { amount, currency, hour, option, which }: Step) {
  const id = `i${which}`;
  const known = await ledger.intent(id);
  const ordinal = (known?.orders.length ?? 0) + 1;
  const created_at = START + hour * HOUR_MS + which;
  const named = { request_id: `${id}.${ordinal}`, intent_id: id, ordinal };
  return claimOrder(ledger, {
    intent: { ...freshIntent, intent_id: id, created_at },
    order: { ...fresh, ...named, option, amount, currency, created_at, next_check_at: null },
    after: known?.current_request_id ?? null,
  });
}

const end = (
  ledger: Ledger,
  { after, hour, which }: Step,
  outcome: Outcome,
  sending: OrderRow['sending'],
): Promise<unknown> =>
  ledger.change(`i${which}`, (intent, epoch) => {
    const order = intent?.orders[hour % intent.orders.length];
    if (!intent || !order) return null;
    const next = { ...order, outcome, sending, version: order.version + 1 };
    return replacing(order)(next, order.created_at + after)(intent, epoch);
  });

/** What the counts must be, as a text for each count. */
function countedAnew(orders: readonly OrderRow[]): string[] {
  const cells = new Map<string, OrderRow[]>();
  for (const order of orders.filter(({ sending }) => sending !== 'unsent')) {
    const { created_at, currency, option, outcome } = order;
    const hour = Date.parse(`${new Date(created_at).toISOString().slice(0, 13)}:00:00Z`);
    const cell = [hour, option, currency, outcome].join();
    cells.set(cell, [...(cells.get(cell) ?? []), order]);
  }
  return [...cells].map(([cell, of]) => {
    const amount = of.reduce((sum, order) => addDecimals(sum, order.amount), '0');
    return [cell, of.length, plainDecimal(amount), timesOf(of)].join(' ');
  });
}

const timesOf = (orders: readonly OrderRow[]): string =>
  orders
    .filter(({ outcome }) => outcome === 'succeeded')
    .map(({ created_at, history }) => {
      const paid = history.find(({ outcome }) => outcome === 'succeeded')!.at;
      const code = history.find(({ sending }) => sending === 'answered')?.at ?? created_at;
      return Math.floor(Math.log(Math.max(1, (paid - code) / 1000)) / Math.log(1.25));
    })
    .sort()
    .join();

const asText = ({ amount, currency, hour, option, orders, outcome, paid_after }: HourCount) => {
  const times = Object.entries(paid_after).flatMap(([time, many]) =>
    Array.from({ length: many }, () => Number(time)),
  );
  const cell = [hour, option, currency, outcome].join();
  return [cell, orders, plainDecimal(amount), times.sort().join()].join(' ');
};

/** Compares the counts with those of all bodies. */
export async function assertCounted(ledger: Ledger): Promise<void> {
  const walked = await ledger.walkIntents('created', ALWAYS, null, 1000);
  const { counts, isComplete } = await ledger.hourCounts(ALWAYS);
  const expected = countedAnew(walked.flatMap(({ intent }) => intent.orders));
  assert.deepEqual(counts.map(asText).sort(), expected.sort());
  assert.equal(isComplete, true);
}
