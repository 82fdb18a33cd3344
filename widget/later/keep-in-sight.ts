/** Scrolls a field that gets the focus out from behind a sticky button. */

/** A browser scrolls to a field outside the window, but not to one that another element covers. */
export function keepInSight(root: ShadowRoot): void {
  root.addEventListener('focusin', ({ target }) => {
    // A tap has hit its field, so the field is in sight; a scroll would move it off the finger.
    if (!(target instanceof Element && target.matches(':focus-visible'))) return;
    const field = target.closest('label');
    const { top = Infinity } = root.querySelector('.sticky')?.getBoundingClientRect() ?? {};
    if (field && field.getBoundingClientRect().bottom > top)
      field.scrollIntoView({ block: 'center' });
  });
}
