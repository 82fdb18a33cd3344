/** Puts an order in review when its QR code charges something other than the order. */
import type { Config } from '../config/schema.js';
import type { OrderRow } from '../ledger/rows.js';
import { checkCode, type CheckedCode } from '../qrcode/merchant-code.js';

type Options = Config['options'];

/**
 * Checks the order's code again: an older relay may have written the order without this check.
 *
 * @param options the configured options; the order's option may name the currency of its payment
 * @returns the order as it may be shown; when it is put in review here, only its next event writes
 *   that review to the ledger
 */
export function withCheckedCode(order: OrderRow, options: Options): OrderRow {
  if (checkedCode(order, options).verdict !== 'wrong') return order;
  const withheld: OrderRow = { ...order, next_action: null };
  if (order.outcome === 'succeeded') return withheld;
  return { ...withheld, outcome: 'review', review_reason: order.review_reason ?? 'code_mismatch' };
}

/** The payee that the order's code names; null when the code is not right or names none. */
export function payeeOf(order: OrderRow, options: Options): string | null {
  const checked = checkedCode(order, options);
  return checked.verdict === 'right' ? checked.payee : null;
}

function checkedCode(order: OrderRow, options: Options): CheckedCode {
  const { amount, currency, next_action, option, pay_currency } = order;
  if (next_action?.kind !== 'scan_qr') return { verdict: 'unknown' };
  const optionCurrency = options.find(({ id }) => id === option)?.pay_currency;
  const payCurrency = pay_currency ?? optionCurrency ?? currency;
  return checkCode(next_action.qrcode_string, { amount, currency, payCurrency });
}
