/** Learns whether a tap on a link opened anything, and when an offer of other ways is outdated. */
import { hasFocus } from '../browser/page.js';
import { timing } from '../timing.js';

/** An app, a new tab or a question of the browser takes the focus within this time. */
const NOTHING_OPENED_MS = 1500;

/** A question is answered within this time; who comes back later has used an app. */
const MAX_QUESTION_MS = 10_000;

/** An app that hides the page within this time was opened by the tap after all. */
const LATE_APP_MS = 60_000;

export type OpeningWatch = {
  /** The customer has opened a link. */
  start(): void;
  /** @param hidden whether the page is hidden now; else it is shown, or has the focus again */
  pageChanged(hidden: boolean): void;
  stop(): void;
};

/** @param offer called with true when nothing opened, and with false when an app did after all */
export function createOpeningWatch(offer: (nothingOpened: boolean) => void): OpeningWatch {
  let cancel = (): void => {};
  let tappedAt = -Infinity;
  const wait = (): void => {
    cancel();
    cancel = timing.after(NOTHING_OPENED_MS, () => hasFocus() && offer(true));
  };
  const stop = (): void => {
    cancel();
    tappedAt = -Infinity;
  };
  return {
    start: () => {
      tappedAt = timing.nowMs();
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
