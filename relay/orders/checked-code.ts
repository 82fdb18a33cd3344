/** Checks what the code or link of an order charges, and whom it pays. */
import type { OrderRow } from '../ledger/rows.js';
import { checkCode, type CheckedCode, type CodeRules } from '../qrcode/check-code.js';

/** Compares the code or link of an order with what the order charges, and with whom it may pay. */
export function checkedCode(
  {
    amount,
    currency,
    next_action: action,
    pay_currency,
  }: Pick<OrderRow, 'amount' | 'currency' | 'next_action' | 'pay_currency'>,
  rules: CodeRules,
): CheckedCode {
  const charge = { amount, currency, payCurrency: pay_currency };
  switch (action?.kind) {
    case 'scan_qr':
      return checkCode(action.qrcode_string, charge, rules);
    case 'open_wallet':
      return checkCode(action.wallet_url, charge, rules);
    case 'open_page':
      // a payment page shows its amount itself, and its address is of no form
      return checkCode(action.checkout_url, charge, { ...rules, check: 'when_known' });
    case 'wait':
    case undefined:
      return { verdict: 'unknown' };
  }
}
