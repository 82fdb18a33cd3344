/**
 * How a link leaves the page: in the click itself, so that nothing blocks it, and always by a real
 * link that stays.
 */
export type OpenIn = 'auto' | 'new-tab' | 'same-tab' | 'popup';
export type OpenTarget = Exclude<OpenIn, 'auto'>;

type Environment = { userAgent: string; touch: boolean; framed: boolean };

/** Browsers inside other apps lose a new tab, or open it where nobody finds the way back. */
const IN_APP =
  /\b(FBA[NV]|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Snapchat|VKAndroidApp)|; wv\)/i;

/**
 * Same tab on phones and in other apps; a new tab elsewhere, and always from a frame, whose own
 * page the bank would refuse to fill.
 */
export function openTarget(mode: OpenIn, { framed, touch, userAgent }: Environment): OpenTarget {
  if (framed) return mode === 'popup' ? 'popup' : 'new-tab';
  if (mode !== 'auto') return mode;
  return IN_APP.test(userAgent) || (touch && /Mobi|Android|iPhone|iPad/i.test(userAgent))
    ? 'same-tab'
    : 'new-tab';
}

export const environment = (): Environment => ({
  userAgent: navigator.userAgent,
  touch: matchMedia('(pointer: coarse)').matches,
  framed: window.parent !== window,
});

const popups = new Map<string, Window>();

/**
 * @returns whether the window is there: opened, without a way back into this page, or brought back
 * to the front
 */
export function openPopup(url: string, again: boolean): boolean {
  const known = popups.get(url);
  if (again && known && !known.closed) {
    known.focus();
    return true;
  }
  // opened with `noreferrer` it would give no window: one that was blocked could not be told apart
  const popup = window.open('', '_blank', 'popup,width=480,height=720');
  if (!popup) return false;
  // empty it is still ours: the page that comes learns neither who opened it nor where it was
  popup.opener = null;
  const link = popup.document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  popup.document.body.append(link);
  link.click();
  popups.set(url, popup);
  return true;
}
