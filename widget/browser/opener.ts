/** How a link to a payment page opens: in a new tab, the same tab or a popup window. */
export type OpenIn = 'auto' | 'new-tab' | 'same-tab' | 'popup';
export type OpenTarget = Exclude<OpenIn, 'auto'>;

export type Environment = {
  userAgent: string;
  touch: boolean;
  framed: boolean;
  /** The page is in the web view of another app. */
  hosted?: boolean;
};

/**
 * Browsers inside other apps lose a new tab, or offer no way back from it. These have no object of
 * the app's that tells (`isHosted`).
 */
const IN_APP =
  /\b(FBA[NV]|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Snapchat|VKAndroidApp)|; wv\)/i;

/** The page is in a browser that another app shows. */
export const isInApp = ({ hosted, userAgent }: Environment): boolean =>
  hosted === true || IN_APP.test(userAgent);

/**
 * `auto` is the same tab on phones, in other apps, and where the payment page leads back; else a
 * new tab. A link inside a frame never opens in the same tab, because banks refuse to be framed.
 *
 * @param leadsBack the payment page knows where to send the customer afterwards
 */
export function openTarget(mode: OpenIn, environment: Environment, leadsBack = false): OpenTarget {
  const { framed, touch, userAgent } = environment;
  if (framed) return mode === 'popup' ? 'popup' : 'new-tab';
  if (isTarget(mode)) return mode;
  return leadsBack || isInApp(environment) || (touch && /Mobi|Android|iPhone|iPad/i.test(userAgent))
    ? 'same-tab'
    : 'new-tab';
}

/** A page may remove the attribute, or set what is no way to open a link. */
const isTarget = (mode: OpenIn): mode is OpenTarget => /^(new-tab|same-tab|popup)$/.test(mode);

export const environment = (): Environment => ({
  userAgent: navigator.userAgent,
  // The simulated browser of a shop's tests may have no matchMedia.
  touch: window.matchMedia?.('(pointer: coarse)').matches ?? false,
  framed: window.parent !== window,
  hosted: isHosted(),
});

/** An app talks with its page by one of these objects; the last is Capacitor's, on Android. */
const isHosted = (): boolean =>
  ['TelegramWebviewProxy', 'ReactNativeWebView', 'androidBridge'].some((name) => name in window) ||
  Boolean((window as { webkit?: { messageHandlers?: unknown } }).webkit?.messageHandlers) ||
  !window.open;

const popups = new Map<string, Window>();

/**
 * Opens `url` in a window without access to this page, or focuses the one that is open already.
 *
 * @returns false when the browser blocked the window
 */
export function openPopup(url: string): boolean {
  const known = popups.get(url);
  if (known && !known.closed) {
    known.focus();
    return true;
  }
  // With `noreferrer`, `open` always returns null: a blocked window could not be detected.
  const popup = window.open('', '_blank', 'popup,width=480,height=720');
  if (!popup) return false;
  // This page can still change the empty window: the payment page gets no opener and no referrer.
  popup.opener = null;
  const link = popup.document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  popup.document.body.append(link);
  link.click();
  popups.set(url, popup);
  return true;
}
