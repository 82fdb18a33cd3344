/** Compares the service's echoes of an order with the order, and keeps them for reviews. */
import { compareDecimals, isDecimal } from '../contract/decimal.js';
import type { OrderRow, ReviewReason } from '../ledger/rows.js';

type Echoes = {
  request_id?: string | undefined;
  currency?: string | undefined;
  order_amount?: string | undefined;
};

/** An echo is free text, and may hold personal data: only the form of a currency code is kept. */
const CURRENCY_CODE = /^[A-Za-z0-9._-]{1,24}$/;
export const isCurrencyCode = (text: string): boolean => CURRENCY_CODE.test(text);
/** Stored instead of an echo of another form. */
const WITHHELD = '(withheld)';

/** `mismatch`: the first echo that differs. `absent`: the first echo that the answer lacks. */
export type ComparedEchoes = { mismatch: ReviewReason | null; absent: ReviewReason | null };

/** Compares request_id, currency and amount, in this order. */
export function compareEchoes(
  order: OrderRow,
  { currency, order_amount, request_id }: Echoes,
): ComparedEchoes {
  const echoes: [ReviewReason, boolean | undefined][] = [
    ['request_id_mismatch', request_id === undefined ? undefined : request_id === order.request_id],
    ['currency_mismatch', currency === undefined ? undefined : currency === order.currency],
    ['amount_mismatch', order_amount === undefined ? undefined : isSame(order_amount, order)],
  ];
  const first = (wanted: boolean | undefined): ReviewReason | null =>
    echoes.find(([, matches]) => matches === wanted)?.[0] ?? null;
  return { mismatch: first(false), absent: first(undefined) };
}

const isSame = (echoed: string, { amount }: OrderRow): boolean =>
  isDecimal(echoed) && compareDecimals(echoed, amount) === 0;

/** Whether the stored echoes of amount and currency are equal to those of the order. */
export const hasEqualEchoes = (order: OrderRow): boolean =>
  order.echoed_amount !== null &&
  isSame(order.echoed_amount, order) &&
  order.echoed_currency === order.currency;

type KeptEchoes = Pick<OrderRow, 'echoed_amount' | 'echoed_currency'>;

/** The echoes that an order has stored. */
export const echoesOf = ({ echoed_amount, echoed_currency }: KeptEchoes): KeptEchoes => ({
  echoed_amount,
  echoed_currency,
});

/** The echoes of an answer, as stored for the person who reads a review. */
export const echoedBy = (order: OrderRow, { currency, order_amount }: Echoes): KeptEchoes => ({
  echoed_amount: order_amount === undefined ? order.echoed_amount : keptAmount(order_amount),
  echoed_currency: currency === undefined ? order.echoed_currency : keptCurrency(currency),
});

const keptAmount = (text: string): string => (isDecimal(text) ? text : WITHHELD);
const keptCurrency = (text: string): string => (isCurrencyCode(text) ? text : WITHHELD);
