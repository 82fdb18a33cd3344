/** Whether somebody looks, and when it is worth asking again at once. */
export type Page = {
  hidden(): boolean;
  /** Calls back when the page is hidden or shown, gets the focus, comes back from the back-forward cache, or goes on or offline. */
  onTurn(callback: () => void): () => void;
};

const TURNS = ['focus', 'pageshow', 'online', 'offline'] as const;

export const browserPage: Page = {
  hidden: () => document.visibilityState === 'hidden',
  onTurn: (callback) => {
    document.addEventListener('visibilitychange', callback);
    for (const type of TURNS) addEventListener(type, callback);
    return () => {
      document.removeEventListener('visibilitychange', callback);
      for (const type of TURNS) removeEventListener(type, callback);
    };
  },
};
