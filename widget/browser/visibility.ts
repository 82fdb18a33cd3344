/** Whether somebody looks, and when it is worth asking again at once. */
export type Page = {
  hidden(): boolean;
  /**
   * Calls back when the page is hidden or shown, gets the focus, comes back from the back-forward
   * cache, or goes on or offline.
   */
  onPageChange(callback: () => void): () => void;
};

/** All of them reach the window, whose functions no markup of the page can replace. */
const PAGE_CHANGE_EVENTS = ['visibilitychange', 'focus', 'pageshow', 'online', 'offline'];

export const browserPage: Page = {
  hidden: () => document.visibilityState === 'hidden',
  onPageChange: (callback) => {
    for (const type of PAGE_CHANGE_EVENTS) addEventListener(type, callback);
    return () => {
      for (const type of PAGE_CHANGE_EVENTS) removeEventListener(type, callback);
    };
  },
};
