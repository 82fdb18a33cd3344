/** What sold in the last 24 hours, and in the same hours a week before. */
import { addDecimals } from '../contract/decimal.js';
import { DAY_MS, HOUR_MS } from '../contract/durations.js';
import { timeOf, type CountLedger, type HourCount } from '../ledger/counts.js';
import type { Sales, Today } from './shapes.js';
import { instant } from './operator-order.js';

const HOURS = 24;

export async function today(ledger: Pick<CountLedger, 'hourCounts'>, now: number): Promise<Today> {
  const first = now - (now % HOUR_MS) - (HOURS - 1) * HOUR_MS;
  const [last, before] = await Promise.all(
    [first, first - 7 * DAY_MS].map((since) =>
      ledger.hourCounts({ since, until: since + HOURS * HOUR_MS - 1 }),
    ),
  );
  const counts = last?.counts ?? [];
  return {
    at: instant(now),
    complete: last?.isComplete ?? false,
    last_day: dayOf(counts, first),
    week_before: dayOf(before?.counts ?? [], first - 7 * DAY_MS),
    options: optionsOf(counts),
  };
}

function dayOf(counts: readonly HourCount[], first: number): Today['last_day'] {
  const hours = Array.from({ length: HOURS }, (_, index) => {
    const hour = first + index * HOUR_MS;
    return { from: instant(hour), ...salesOf(counts.filter((count) => count.hour === hour)) };
  });
  return { hours, sum: salesOf(counts) };
}

const isPaid = ({ outcome }: HourCount): boolean => outcome === 'succeeded';
const ordersIn = (counts: readonly HourCount[]): number =>
  counts.reduce((sum, { orders }) => sum + orders, 0);

function salesOf(counts: readonly HourCount[]): Sales {
  const paid = counts.filter(isPaid);
  const paid_amounts: Record<string, string> = {};
  for (const { amount, currency } of paid)
    paid_amounts[currency] = addDecimals(paid_amounts[currency] ?? '0', amount);
  return { orders: ordersIn(counts), paid: ordersIn(paid), paid_amounts };
}

function optionsOf(counts: readonly HourCount[]): Today['options'] {
  return [...new Set(counts.map(({ option }) => option))]
    .map((option) => {
      const ofOption = counts.filter((count) => count.option === option);
      const sold = salesOf(ofOption);
      const paidAfter: Record<string, number> = {};
      for (const { paid_after } of ofOption)
        for (const [step, orders] of Object.entries(paid_after))
          paidAfter[step] = (paidAfter[step] ?? 0) + orders;
      return {
        option,
        ...sold,
        success_rate: Number((sold.paid / sold.orders).toPrecision(3)),
        median_s: timeOf(paidAfter, 0.5),
        p90_s: timeOf(paidAfter, 0.9),
      };
    })
    .sort((one, other) => other.orders - one.orders);
}
