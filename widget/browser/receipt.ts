/** Prints the element without the rest of the page; most browsers offer to save that as a file. */
import { withSheet } from './page-sheet.js';

const PAID = 'pay-checkout[phase="succeeded"]';
/** `visibility: hidden` would keep the height of a long page, and empty sheets would be printed. */
const RECEIPT_ONLY =
  `@media print{body :not(:has(${PAID}),${PAID}){display:none!important}` +
  `body :has(${PAID}){display:contents!important}` +
  'html,body{min-height:0!important;height:auto!important;margin:0!important}}';

export function printReceipt(): void {
  const remove = withSheet(RECEIPT_ONLY);
  addEventListener('afterprint', remove, { once: true });
  print();
}
