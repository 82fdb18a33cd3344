/** Compares the service's echoes of an order with the order, and keeps them for reviews. */
import { isCurrencyCode } from '../contract/requests.js';
import { compareDecimals, isDecimal } from '../contract/decimal.js';
import type { ReviewReason } from '../contract/review-reasons.js';
import type { OrderRow } from '../ledger/rows.js';
import type { PayAnswer } from './order-event.js';

/** Stored in place of an echo of another form, because it may hold personal data. */
const WITHHELD = '(withheld)';

/**
 * Each is the review reason of one echo. `mismatch` names the first echo that differs from the
 * order, `absent` the first that the answer lacks.
 */
type ComparedEchoes = { mismatch: ReviewReason | null; absent: ReviewReason | null };

type Found = 'equal' | 'different' | 'absent';

/** Compares request_id, currency and amount, in this order. */
export function compareEchoes(
  order: OrderRow,
  { currency, order_amount, request_id }: PayAnswer,
): ComparedEchoes {
  const found = (echo: string | undefined, isEqual: (echo: string) => boolean): Found => {
    if (echo === undefined) return 'absent';
    return isEqual(echo) ? 'equal' : 'different';
  };
  const echoes: [ReviewReason, Found][] = [
    ['request_id_mismatch', found(request_id, (echo) => echo === order.request_id)],
    ['currency_mismatch', found(currency, (echo) => echo === order.currency)],
    ['amount_mismatch', found(order_amount, (echo) => isSame(echo, order))],
  ];
  const firstThatIs = (wanted: Found): ReviewReason | null =>
    echoes.find(([, each]) => each === wanted)?.[0] ?? null;
  return { mismatch: firstThatIs('different'), absent: firstThatIs('absent') };
}

/**
 * An echoed amount in the form of ours; null when it has another one. Further zeros at its end do
 * not change the amount.
 */
export function echoedAmount(echo: string): string | null {
  const amount = /^(\d+\.\d{18})0+$/.exec(echo)?.[1] ?? echo;
  return isDecimal(amount) ? amount : null;
}

function isSame(echo: string, order: OrderRow): boolean {
  const amount = echoedAmount(echo);
  return amount !== null && compareDecimals(amount, order.amount) === 0;
}

type KeptEchoes = Pick<OrderRow, 'echoed_amount' | 'echoed_currency'>;

/** The echoes that an order has stored. */
export const storedEchoes = ({ echoed_amount, echoed_currency }: KeptEchoes): KeptEchoes => ({
  echoed_amount,
  echoed_currency,
});

/**
 * The echoes to store after an answer, for the person who reads a review. An echo that the answer
 * lacks stays as it is stored.
 */
export const withNewEchoes = (
  order: OrderRow,
  { currency, order_amount }: PayAnswer,
): KeptEchoes => ({
  echoed_amount: order_amount === undefined ? order.echoed_amount : keptAmount(order_amount),
  echoed_currency: currency === undefined ? order.echoed_currency : keptCurrency(currency, order),
});

const keptAmount = (text: string): string => echoedAmount(text) ?? WITHHELD;
/** An order token may name any currency, so the order's own may have another form. */
const keptCurrency = (text: string, { currency }: OrderRow): string =>
  isCurrencyCode(text) || text === currency ? text : WITHHELD;
