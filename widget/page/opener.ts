/** How a link leaves the page: in the click itself, so that nothing blocks it, and always by a real link that stays. */
export type OpenIn = 'auto' | 'new-tab' | 'same-tab' | 'popup';
export type Way = Exclude<OpenIn, 'auto'>;

type Surroundings = { userAgent: string; touch: boolean; framed: boolean };

/** Browsers inside other apps lose a new tab, or open it where nobody finds the way back. */
const IN_APP = /\b(FBA[NV]|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Snapchat|VKAndroidApp)|; wv\)/i;

/** Same tab on phones and in other apps; a new tab elsewhere, and always from a frame, whose own page the bank would refuse to fill. */
export function wayOut(mode: OpenIn, { framed, touch, userAgent }: Surroundings): Way {
  if (framed) return mode === 'popup' ? 'popup' : 'new-tab';
  if (mode !== 'auto') return mode;
  return IN_APP.test(userAgent) || (touch && /Mobi|Android|iPhone|iPad/i.test(userAgent)) ? 'same-tab' : 'new-tab';
}

export const surroundings = (): Surroundings => ({
  userAgent: navigator.userAgent,
  touch: matchMedia('(pointer: coarse)').matches,
  framed: window.parent !== window,
});

let popup: Window | null = null;

/** @returns whether the window is there: opened, or brought back to the front */
export function openPopup(url: string, again: boolean): boolean {
  if (again && popup && !popup.closed) {
    popup.focus();
    return true;
  }
  popup = window.open(url, 'pay-checkout', 'popup,width=480,height=720');
  return popup !== null;
}
