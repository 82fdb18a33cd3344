/**
 * Names the link to pay with in the page's head, while it is on screen. A browser that knows
 * `rel="facilitated-payment"` then offers its own wallet for it.
 */
const REL = 'facilitated-payment';

/** @returns a function that names a link in place of the one before; null names none */
export function facilitatedPayment(): (link: string | null) => void {
  let named: string | null = null;
  let element: HTMLLinkElement | null = null;
  return (link) => {
    if (link === named) return;
    named = link;
    element?.remove();
    element = document.createElement('link');
    // the simulated browser of a shop's tests may not have it
    if (link === null || !element.relList?.supports?.(REL)) return;
    element.rel = REL;
    element.href = link;
    document.head.append(element);
  };
}
