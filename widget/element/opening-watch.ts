/** Learns whether a tap on a link opened anything, and when an offer of other ways is outdated. */
import { hasFocus } from '../browser/page.js';
import { timing } from '../timing.js';

/** An app, a new tab or a question of the browser takes the focus within this time. */
const NOTHING_OPENED_MS = 1500;

/** A page in the same tab takes this page's place once its first byte has arrived. */
const NOTHING_LOADED_MS = 6000;

/** A question is answered within this time; who comes back later has used an app. */
const MAX_QUESTION_MS = 10_000;

/** An app that hides the page within this time was opened by the tap after all. */
const LATE_APP_MS = 60_000;

export type OpeningWatch = {
  /**
   * The customer has opened a link.
   *
   * @param loads whether it is a page that loads in this tab
   */
  start(loads?: boolean): void;
  /** @param hidden whether the page is hidden now; else it is shown, or has the focus again */
  pageChanged(hidden: boolean): void;
  stop(): void;
};

/** @param offer called with true when nothing opened, and with false when an app did after all */
export function createOpeningWatch(offer: (nothingOpened: boolean) => void): OpeningWatch {
  let cancel = (): void => {};
  let tappedAt = -Infinity;
  let waitMs = NOTHING_OPENED_MS;
  const wait = (): void => {
    cancel();
    cancel = timing.after(waitMs, () => hasFocus() && offer(true));
  };
  const stop = (): void => {
    cancel();
    tappedAt = -Infinity;
  };
  return {
    start: (loads) => {
      tappedAt = timing.nowMs();
      waitMs = loads ? NOTHING_LOADED_MS : NOTHING_OPENED_MS;
      wait();
    },
    pageChanged: (hidden) => {
      const sinceTap = timing.nowMs() - tappedAt;
      if (hidden) {
        if (sinceTap < LATE_APP_MS) offer(false);
        stop();
      } else if (sinceTap < MAX_QUESTION_MS) wait();
    },
    stop,
  };
}
