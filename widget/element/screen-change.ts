/** What happens when a screen takes the place of another one: motion, focus, a pause for taps. */

/** A tap soon after the change, close to the one before, was meant for the screen before. */
const IMPATIENCE_MS = 600;
const FINGER_PX = 44;
const MOTION_MS = 200;

export type ScreenChange = {
  /** Called before a render. */
  before(): void;
  /** Called after a render. */
  after(): void;
  /** @returns whether a tap hits what appeared under the finger a moment ago */
  isTooEarly(event: MouseEvent): boolean;
};

export function createScreenChange(
  find: <T extends Element>(selector: string) => T | null,
): ScreenChange {
  let screen: Element | null = null;
  let focused: Element | null = null;
  let heightPx = 0;
  let changedAt = -Infinity;
  let finger = { x: -Infinity, y: -Infinity };
  return {
    before: () => {
      const card = find<HTMLElement>('.base');
      focused = find(':focus');
      heightPx = card?.offsetHeight ?? 0;
    },
    after: () => {
      const shown = find('.screen');
      if (shown === screen) return;
      const replaced = screen;
      screen = shown;
      // The focused element was removed with its screen; a screen reader goes on at the title.
      if (focused && !focused.isConnected) find<HTMLElement>('h2')?.focus({ preventScroll: true });
      if (!shown) return;
      if (replaced) changedAt = performance.now();
      const card = find<HTMLElement>('.base');
      // Without a card before there is nothing to grow from.
      if (!card || heightPx === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      const timing = { duration: MOTION_MS, easing: 'ease-out' };
      // The first screen takes the place of a skeleton, and need not wait for a fade.
      if (replaced) shown.animate({ opacity: [0, 1] }, timing);
      // The card changes its height with the screen, so that nothing below it jumps.
      card.animate(
        { blockSize: [`${heightPx}px`, `${card.offsetHeight}px`], overflow: ['clip', 'clip'] },
        timing,
      );
    },
    isTooEarly: (event) => {
      // Only a pointer taps by position; a key and a script name their target.
      if (!event.isTrusted || event.detail === 0) return false;
      const { clientX: x, clientY: y } = event;
      const isTooEarly =
        Math.hypot(x - finger.x, y - finger.y) < FINGER_PX &&
        performance.now() - changedAt < IMPATIENCE_MS &&
        event.composedPath().some((node) => node === screen);
      finger = { x, y };
      // A tap elsewhere is meant for this screen, and so are the next ones.
      if (!isTooEarly) changedAt = -Infinity;
      return isTooEarly;
    },
  };
}
