/** An order whose QR code charges something else than the order is in review. */
import type { Config } from '../config/schema.js';
import type { OrderRow } from '../ledger/rows.js';
import { checkCode, type CheckedCode } from '../qrcode/merchant-code.js';

type Options = Config['options'];

/**
 * Checks the order's code again: the ledger may have it from a relay that did not check codes.
 *
 * @param options of the configuration; one of them may know what the customer pays in
 * @returns the order as it may be shown; a review that it gets here is written by its next event
 */
export function withCheckedCode(order: OrderRow, options: Options): OrderRow {
  if (checkedCode(order, options).verdict !== 'wrong') return order;
  const withheld: OrderRow = { ...order, next_action: null };
  if (order.outcome === 'succeeded') return withheld;
  return { ...withheld, outcome: 'review', review_reason: order.review_reason ?? 'code_mismatch' };
}

/** Whom the order's code pays, as far as it says so. */
export function payeeOf(order: OrderRow, options: Options): string | null {
  const checked = checkedCode(order, options);
  return checked.verdict === 'right' ? checked.payee : null;
}

function checkedCode(order: OrderRow, options: Options): CheckedCode {
  const { amount, currency, next_action, option, pay_currency } = order;
  if (next_action?.kind !== 'scan_qr') return { verdict: 'unknown' };
  const ofOption = options.find(({ id }) => id === option)?.pay_currency;
  const payCurrency = pay_currency ?? ofOption ?? currency;
  return checkCode(next_action.qrcode_string, { amount, currency, payCurrency });
}
