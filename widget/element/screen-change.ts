/** What happens when a screen takes the place of another one: motion, focus, a pause for taps. */

/** A tap so soon after the change was meant for the screen before, wherever the finger was. */
const IMPATIENCE_MS = 600;
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
  let growth: Animation | undefined;
  /** Where the parts of the screen stood before the render. */
  let places: [part: HTMLElement, top: number][] = [];
  let changedAt = -Infinity;
  return {
    before: () => {
      focused = find(':focus');
      heightPx = find<HTMLElement>('.base')?.offsetHeight ?? 0;
      places = [
        ...(screen?.querySelectorAll<HTMLElement>(':scope > :not(form), form > *') ?? []),
      ].map((part) => [part, part.offsetTop]);
    },
    after: () => {
      const shown = find('.screen');
      const replaced = screen;
      const isNew = shown !== screen;
      screen = shown;
      // The focused element was removed with its screen; a screen reader goes on at the title.
      if (isNew && focused && !focused.isConnected)
        find<HTMLElement>('h2')?.focus({ preventScroll: true });
      if (isNew && replaced) changedAt = performance.now();
      const card = find<HTMLElement>('.base');
      // A render during the motion must measure the height to which the card grows.
      growth?.cancel();
      // Without a card before there is nothing to grow from.
      if (!card || heightPx === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      const timing = { duration: MOTION_MS, easing: 'ease-out' };
      // The first screen takes the place of a skeleton, and need not wait for a fade.
      if (isNew && replaced) shown?.animate({ opacity: [0, 1] }, timing);
      const { offsetHeight } = card;
      if (offsetHeight === heightPx) return;
      // The card changes its height by motion, so that nothing below it jumps.
      growth = card.animate(
        { blockSize: [`${heightPx}px`, `${offsetHeight}px`], overflow: ['clip', 'clip'] },
        timing,
      );
      // A notice or a form that appears must not move the buttons away from under the finger.
      for (const [part, top] of places)
        if (part.offsetTop !== top)
          part.animate({ translate: [`0 ${top - part.offsetTop}px`, '0'] }, timing);
    },
    // Only a pointer taps by position; a key and a script name their target.
    isTooEarly: (event) =>
      event.isTrusted &&
      event.detail > 0 &&
      performance.now() - changedAt < IMPATIENCE_MS &&
      event.composedPath().some((node) => node === screen),
  };
}
