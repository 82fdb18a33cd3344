/** Prints the element without the rest of the page; most browsers offer to save that as a file. */
import { withSheet } from './page-sheet.js';

const RECEIPT_ONLY =
  '@media print{body *{visibility:hidden}' +
  'pay-checkout[phase="succeeded"]{visibility:visible;position:absolute;inset:0}}';

export function printReceipt(): void {
  const remove = withSheet(RECEIPT_ONLY);
  addEventListener('afterprint', remove, { once: true });
  print();
}
