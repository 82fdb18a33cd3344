/** Compares the QR code of an order with what the order charges. */
import type { OrderRow } from '../ledger/rows.js';
import { checkCode, type CheckedCode } from '../qrcode/merchant-code.js';

type WithCode = Pick<OrderRow, 'amount' | 'currency' | 'next_action' | 'pay_currency'>;

/** Whether the order has a QR code that is broken, or that charges something else. */
export const hasWrongCode = (order: WithCode): boolean => checkedCode(order).verdict === 'wrong';

/** The payee that the order's code names; null when the code is not right or names none. */
export function payeeOf(order: WithCode): string | null {
  const checked = checkedCode(order);
  return checked.verdict === 'right' ? checked.payee : null;
}

const checkedCode = ({ amount, currency, next_action, pay_currency }: WithCode): CheckedCode =>
  next_action?.kind === 'scan_qr'
    ? checkCode(next_action.qrcode_string, { amount, currency, payCurrency: pay_currency })
    : { verdict: 'unknown' };
