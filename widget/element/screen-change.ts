/**
 * When a screen replaces another one: moves it in, brings the card's top into sight, moves the
 * focus, and ignores early taps.
 */

/** A tap within this time after the change was meant for the previous screen, so it is ignored. */
const IMPATIENCE_MS = 600;
const MOTION_MS = 200;

/** A scroll would disturb a customer who types. */
const TYPING = 'input:not([type="radio"]):focus';

const isMotionUnwanted = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export type ScreenChange = {
  /** Called before a render. */
  before(): void;
  /** Called after a render. */
  after(): void;
  /** Called at an event after which something may unfold, such as an error beside its field. */
  beforeUnfolding(): void;
  /** Ends a tap that hits what appeared under the finger a moment ago. */
  dropEarlyTap(event: MouseEvent): void;
};

export function createScreenChange(
  find: <T extends Element>(selector: string) => T | null,
): ScreenChange {
  let screen: Element | null = null;
  let focused: Element | null = null;
  /** The card's height before a change; 0 without a card, and once the change is shown. */
  let heightPx = 0;
  let growth: Animation | undefined;
  /** Where the parts of the screen, and the screen as a whole, stood before the render. */
  let places: [part: HTMLElement, top: number][] = [];
  let phaseTop = 0;
  /** Whether a part of the card is in sight, also inside a scrolling panel or a frame. */
  let isInSight = false;
  let sight: IntersectionObserver | undefined;
  let notice = '';
  let changedAt = -Infinity;
  const measure = (): void => {
    // A render after an event: the card may have unfolded, so the height before the event counts.
    if (heightPx) return;
    const card = find<HTMLElement>('.base');
    heightPx = card?.offsetHeight ?? 0;
    phaseTop = find<HTMLElement>('.phase')?.offsetTop ?? 0;
    places = [
      ...(screen?.querySelectorAll<HTMLElement>(':scope > :not(form), form > *') ?? []),
    ].map((part) => [part, part.offsetTop]);
  };
  const after = (): void => {
    const shown = find('.screen');
    const replaced = screen;
    const isNew = shown !== null && shown !== replaced;
    // A skeleton between two screens must not make the second one accept early taps.
    if (shown) screen = shown;
    // The focused element was removed, or it is the close button, on which a modal without a title
    // puts the focus; a screen reader goes on at the title, and would read it once more from the
    // status line. A customer who has moved the focus to another part of the page keeps it.
    const isLost =
      focused &&
      !shown?.contains(focused) &&
      (isNew || !focused.isConnected) &&
      (find(':focus') || document.activeElement === document.body);
    if (shown && isLost) {
      find<HTMLElement>('h2')?.focus({ preventScroll: true });
      find('.unseen > bdi')?.replaceChildren();
    }
    // while a skeleton is shown, there is no title yet
    if (shown) focused = null;
    if (isNew && replaced) changedAt = performance.now();
    const card = find<HTMLElement>('.base');
    const oldPx = heightPx;
    heightPx = 0;
    const note = find('.note');
    const isWarned = note?.textContent !== notice && !find(TYPING);
    notice = note?.textContent ?? '';
    const start = isNew ? find('.anchor') : isWarned && note;
    if (start && replaced && isInSight)
      start.scrollIntoView({ block: 'nearest', behavior: isMotionUnwanted() ? 'auto' : 'smooth' });
    sight ??= new IntersectionObserver((entries) => {
      for (const { isIntersecting } of entries) isInSight = isIntersecting;
    });
    if (card) sight.observe(card);
    // A render during the motion must measure the height to which the card grows.
    growth?.cancel();
    if (!card || !oldPx) return;
    if (isMotionUnwanted()) return;
    const timing = { duration: MOTION_MS, easing: 'ease-out' };
    // The first screen replaces a skeleton and appears at once, without a fade.
    if (isNew && replaced) shown?.animate({ opacity: [0, 1] }, timing);
    const { offsetHeight } = card;
    if (offsetHeight === oldPx) return;
    // The card changes its height by motion, so that nothing below it jumps.
    growth = card.animate(
      { blockSize: [`${oldPx}px`, `${offsetHeight}px`], overflow: ['clip', 'clip'] },
      timing,
    );
    // A notice or a form that appears must not move the buttons away from under the finger.
    const phase = find<HTMLElement>('.phase');
    const moved: typeof places = isNew && phase ? [[phase, phaseTop]] : places;
    for (const [part, top] of moved)
      if (part.offsetTop !== top)
        part.animate({ transform: [`translateY(${top - part.offsetTop}px)`, 'none'] }, timing);
  };
  return {
    before: () => {
      focused = find(':focus') ?? focused;
      measure();
    },
    after,
    // Before the next frame is painted, what unfolds has its size. A render that removes the
    // focused element causes such an event too, and must still know what had the focus.
    beforeUnfolding: () => {
      measure();
      // After a render the height is used up, and its motion must go on.
      requestAnimationFrame(() => heightPx && after());
    },
    // Only a pointer can hit the wrong button: a key or a script acts on a button that it chose.
    dropEarlyTap: (event) => {
      const isTooEarly =
        event.isTrusted &&
        event.detail > 0 &&
        performance.now() - changedAt < IMPATIENCE_MS &&
        event.composedPath().some((node) => node === screen);
      if (!isTooEarly) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
  };
}
