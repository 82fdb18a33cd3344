/** Puts the element on the page, connected to a relay and a sandbox in the same tab. */
import '../../widget/define.js';
import type { PayCheckout } from '../../widget/pay-checkout.js';
import { until, type World } from '../support/world.js';

export type Stage = {
  element: PayCheckout;
  events: string[];
  phase(phase: string): Promise<void>;
  part(name: string): HTMLElement | null;
  click(selector: string): void;
  text(): string;
};

export function stage(world: World, attributes: Record<string, string>): Stage {
  const element = document.createElement('pay-checkout');
  element.fetch = (url, init) =>
    url.includes('/locales/')
      ? fetch(`/widget/texts${new URL(url).pathname}`, init)
      : world.relay.fetch(new Request(url, init));
  for (const [name, value] of Object.entries({ relay: location.origin, ...attributes }))
    element.setAttribute(name, value);
  const events: string[] = [];
  for (const type of [
    'phase',
    'order',
    'status',
    'succeeded',
    'failed',
    'expired',
    'deposit-address',
    'redirect',
    'token-needed',
    'problem',
    'close',
  ])
    element.addEventListener(`pay-${type}`, () => events.push(`pay-${type}`));
  document.body.append(element);
  const find = (selector: string): HTMLElement | null =>
    element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
  return {
    element,
    events,
    phase: (phase) =>
      until(
        () => element.phase === phase && element.getAttribute('phase') === phase,
        `${phase}, is ${element.phase}`,
      ),
    part: (name) => find(`[part~="${name}"]`),
    click: (selector) => {
      const target = find(selector);
      if (!target) throw new Error(`nothing at ${selector}`);
      target.click();
    },
    text: () => element.shadowRoot?.querySelector('.base')?.textContent ?? '',
  };
}

export const open = { amount: '12.50', currency: 'USD', 'product-name': 'A tree' };

/** Removes the elements and their stored attempts after a test. */
export function clear(): void {
  for (const element of document.querySelectorAll('pay-checkout')) element.remove();
  localStorage.clear();
}
