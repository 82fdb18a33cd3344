/** Puts the element on the page, connected to a relay and a sandbox in the same tab. */
import '../../../../widget/define.js';
import { timing } from '../../../../widget/timing.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import type { ShownState } from '../../../../demo/element-states.js';
import { until, type World } from '../../support/world.js';
import { fetchOf, texts } from './relay-fetch.js';

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
  element.fetch = fetchOf(world);
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

/** Waits until the element offers the ways to pay. */
export async function stageChoosing(
  world: World,
  attributes: Record<string, string>,
): Promise<Stage> {
  const staged = stage(world, attributes);
  await staged.phase('choosing');
  return staged;
}

/** Pays with the marked option, and waits until the element shows the order. */
export async function stageAwaiting(
  world: World,
  attributes: Record<string, string>,
): Promise<Stage> {
  const staged = await stageChoosing(world, attributes);
  staged.click('[data-action="pay"]');
  await staged.phase('awaiting_payment');
  return staged;
}

/** Puts an element on the page that shows a state without a relay. */
export async function stageState(
  state: ShownState | undefined,
  attributes: Record<string, string> = {},
): Promise<PayCheckout> {
  if (!state) throw new Error('no such state');
  const element = elementIn(state, texts, attributes);
  document.body.append(element);
  await settled(element, state);
  return element;
}

export const open = { amount: '12.50', currency: 'USD', 'product-name': 'A tree' };

const { after } = timing;

/**
 * Ends each pause between two requests after a moment, until the end of the test. The time that an
 * answer may take stays.
 */
export const hurry = (): void => {
  timing.after = (ms, run) => after(ms < 10_000 ? 10 : ms, run);
};

const { matchMedia } = window;
const SIDES = ['width', 'height'] as const;

/** Lets this media query match in scripts, until the end of the test. */
export function holdMedia(query: string): void {
  // the media type `all` always matches
  window.matchMedia = (asked) => matchMedia.call(window, asked === query ? 'all' : asked);
}

/** Gives the browser a touch screen of this size, until the end of the test. */
export function holdTouchDevice(size: Record<(typeof SIDES)[number], number>): void {
  for (const side of SIDES)
    Object.defineProperty(screen, side, { value: size[side], configurable: true });
  holdMedia('(pointer: coarse)');
}

/**
 * Removes the elements and their stored attempts after a test, and gives pauses their length and
 * the device its own screen.
 */
export function clear(): void {
  timing.after = after;
  window.matchMedia = matchMedia;
  for (const side of SIDES) Reflect.deleteProperty(screen, side);
  for (const element of document.querySelectorAll('pay-checkout')) element.remove();
  localStorage.clear();
  sessionStorage.clear();
}
