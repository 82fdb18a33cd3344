/** Whether somebody looks, and when it is worth asking again at once. */
export type Page = {
  hidden(): boolean;
  /**
   * Calls back when the page is hidden or shown, gets the focus, comes back from the back-forward
   * cache, or goes on or offline.
   */
  onTurn(callback: () => void): () => void;
};

/** All of them reach the window, whose functions no markup of the page can replace. */
const TURNS = ['visibilitychange', 'focus', 'pageshow', 'online', 'offline'];

export const browserPage: Page = {
  hidden: () => document.visibilityState === 'hidden',
  onTurn: (callback) => {
    for (const type of TURNS) addEventListener(type, callback);
    return () => {
      for (const type of TURNS) removeEventListener(type, callback);
    };
  },
};
