/** Whether somebody looks, and when it is worth asking again at once. */
export type Page = {
  hidden(): boolean;
  /** Calls back when the page is hidden or shown, gets the focus, comes back from the back-forward cache, or goes online. */
  onTurn(callback: () => void): () => void;
};

export const browserPage: Page = {
  hidden: () => document.visibilityState === 'hidden',
  onTurn: (callback) => {
    document.addEventListener('visibilitychange', callback);
    for (const type of ['focus', 'pageshow', 'online'] as const) addEventListener(type, callback);
    return () => {
      document.removeEventListener('visibilitychange', callback);
      for (const type of ['focus', 'pageshow', 'online'] as const) removeEventListener(type, callback);
    };
  },
};
