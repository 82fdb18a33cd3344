import { takeTurn } from './turn.js';

/** The page around the element: whether it is visible, and its document's own properties. */
export type Page = {
  hidden(): boolean;
  /**
   * Calls back when the page is hidden or shown, gets the focus, is restored from the back-forward
   * cache, or goes online or offline.
   *
   * @returns a function that ends the subscription
   */
  onPageChange(callback: (change?: { readonly type: string }) => void): () => void;
  /** One element of the origin at a time may hold a request open (turn.ts). */
  readonly takeTurn: typeof takeTurn;
};

/** All of these reach the window, whose methods no markup of the page can replace. */
const PAGE_CHANGE_EVENTS = ['visibilitychange', 'focus', 'pageshow', 'online', 'offline'];

export const browserPage: Page = {
  hidden: () => document.visibilityState === 'hidden',
  onPageChange: (callback) => {
    const listening = new AbortController();
    const { signal } = listening;
    for (const type of PAGE_CHANGE_EVENTS) addEventListener(type, callback, { signal });
    return () => listening.abort();
  },
  takeTurn,
};

/**
 * Reads a property from the document's prototype. `document.x` returns a named element of the page
 * instead when there is one, for example `<form name="x">`.
 */
export const ownDocument = <K extends keyof Document>(name: K): Document[K] =>
  Reflect.get(Document.prototype, name, document);

/** Whether the page has the focus: an app, a window or a question of the browser takes it. */
export const hasFocus = (): boolean => ownDocument('hasFocus').call(document);
