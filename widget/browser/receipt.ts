/** Prints the element without the rest of the page; most browsers offer to save that as a file. */
import { withSheet } from './page-sheet.js';

/** Marks the element and what it stands in, while the page is printed. */
const MARK = 'data-pay-receipt';

/** `visibility: hidden` would keep the height of a long page, and empty sheets would be printed. */
const receiptOnly = (inside: string): string =>
  `@media print{${inside}:not([${MARK}]){display:none!important}` +
  `${inside}[${MARK}=around]{display:contents!important}` +
  'html,body{min-height:0!important;height:auto!important;margin:0!important}}';

/** @param part something in the shadow root of the element */
export function printReceipt(part: Node): void {
  const root = part.getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  const undo: (() => void)[] = [];
  const mark = (element: Element, value: string): void => {
    element.setAttribute(MARK, value);
    undo.push(() => element.removeAttribute(MARK));
  };
  mark(root.host, 'self');
  // The element may stand in the shadow roots of other components, whose content no selector of the
  // page reaches.
  for (let node: Node | null = around(root.host); node; node = around(node)) {
    if (node instanceof Element && node !== document.body) mark(node, 'around');
    if (node instanceof ShadowRoot) undo.push(withSheet(receiptOnly(''), node));
  }
  undo.push(withSheet(receiptOnly('body '), document));
  const restore = (): void => undo.forEach((step) => step());
  addEventListener('afterprint', restore, { once: true });
  print();
}

/** What a node stands in as the customer sees it. */
const around = (node: Node): Node | null =>
  node instanceof ShadowRoot
    ? node.host
    : (node instanceof Element && node.assignedSlot) || node.parentNode;
