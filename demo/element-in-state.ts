/** Puts an element into a state of the table, for tests, screenshots and the playground. */
import { digest } from '../widget/browser/digest.js';
import type { PayCheckout } from '../widget/pay-checkout.js';
import type { ShownState } from './element-states.js';

const PURCHASE = { amount: '48.50', currency: 'EUR', 'product-name': 'Huila, washed, 1 kg' };

/**
 * Creates an element that reaches the state once it is on the page; no relay is needed.
 *
 * @param texts returns the file of texts that the relay has at a path
 */
export function elementIn(
  state: ShownState,
  texts: (path: string) => Promise<Response>,
  attributes: Record<string, string> = {},
): PayCheckout {
  const element = document.createElement('pay-checkout');
  const all = {
    relay: 'https://relay.example',
    ...(state.attributes?.deposit === undefined ? PURCHASE : {}),
    ...state.attributes,
    ...attributes,
  };
  if (state.visited) {
    // stores what the element would have stored at an earlier visit
    const {
      amount,
      currency,
      'product-name': product_name,
      remark,
      'customer-ref-id': customer_ref_id,
    } = { remark: '', 'customer-ref-id': undefined, ...all };
    const intent = { amount, currency, product_name, remark, customer_ref_id };
    const stored = { attempt: crypto.randomUUID(), at: Date.now() };
    const name = digest(JSON.stringify({ intent }));
    localStorage.setItem(`pay-checkout:${name}`, JSON.stringify(stored));
  }
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  element.fetch = (url, init) => {
    const { pathname } = new URL(url);
    const [file] = /\/locales\/.*$/.exec(pathname) ?? [];
    if (file !== undefined) return texts(file);
    const isFirst = /\/(checkout|deposit-address)$/.test(pathname);
    const later = /\/wallets\//.test(pathname) ? state.wallets : state.queried;
    const answer = (isFirst ? state.answer : later)?.(Date.now()) ?? 'none';
    if (answer === 'cut') return Promise.reject(new TypeError('no network'));
    if (answer !== 'none')
      return Promise.resolve(Response.json(answer.body, { status: answer.status }));
    return new Promise((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  };
  return element;
}

/** Resolves when the element shows the state in its language. */
export async function settled(element: PayCheckout, state: ShownState): Promise<void> {
  const textsLoaded = async (): Promise<void> => {
    await element.updateComplete;
    // a skeleton is all that stands there until the status line says what it stands for
    const find = (selector: string): Element | null | undefined =>
      element.shadowRoot?.querySelector(selector);
    while (find('.phase > .skeleton') && !find('[role="status"]')?.textContent.trim())
      await new Promise(requestAnimationFrame);
  };
  const reached = (phase: string): Promise<void> =>
    new Promise((resolve) => {
      if (element.phase === phase) return resolve();
      element.addEventListener('pay-phase', function check() {
        if (element.phase !== phase) return;
        element.removeEventListener('pay-phase', check);
        resolve();
      });
    });
  if (!state.act) await reached(state.phase);
  else {
    // an action of the table that leads back to the options starts at the screen of an order
    const first = state.phase === 'choosing' ? 'awaiting_payment' : state.phase;
    await reached(first);
    await textsLoaded();
    await state.act(element);
    await reached(state.phase);
  }
  await textsLoaded();
  endMotion(element);
}

/** Finishes the animation of the card's height: before its end, the card cuts off its texts. */
function endMotion(element: PayCheckout): void {
  for (const animation of element.shadowRoot?.getAnimations() ?? [])
    if (animation.effect?.getTiming().iterations !== Infinity) animation.finish();
}
