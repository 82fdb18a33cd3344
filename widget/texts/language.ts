/** The language of the element: its tag, its texts and the partner's texts. */
import type { Label } from '../../relay/contract/responses.js';
import { timing } from '../timing.js';
import type { Fetch } from '../relay-client.js';
import { isRightToLeft, localeOf } from '../../relay/contract/locales.js';
import { loadFile } from '../load-file.js';
import { createTexts, type TextTable, type Texts } from './texts.js';

export type Language = {
  /** Requests the texts for a language tag. */
  load(relay: string | null, tag: string, fetch?: Fetch): void;
  /** @returns false until texts can be shown */
  ready(): boolean;
  /** @returns a tag that `Intl` accepts: the page's tag, or else the locale of the texts */
  tag(): string;
  locale(): string;
  direction(): 'ltr' | 'rtl';
  texts(partner: Record<string, Label> | undefined): Texts;
};

/** Texts with the language of their amounts and dates: both change together. */
type Shown = { readonly locale: string; readonly tag: string; readonly table: TextTable };

/** Shown while no other texts are there; the customer waits no longer for them than this. */
const MAX_WAIT_MS = 1500;
const ENGLISH: Shown = { locale: 'en', tag: 'en', table: {} };

/** @param onLoad called when texts can be shown, and when others have taken their place */
export function createLanguage(onLoad: () => void): Language {
  let asked = '';
  let isReady = false;
  let shown = ENGLISH;
  const show = (next: Shown): void => {
    isReady = true;
    shown = next;
    onLoad();
  };
  return {
    load: (relay, wanted, fetch) => {
      const locale = localeOf(wanted);
      // An unsupported language gets English texts, so its amounts are written in English too.
      const isForeign = locale === 'en' && !/^en\b/i.test(wanted);
      const tag = isTag(wanted) && !isForeign ? wanted : locale;
      if (asked === `${relay} ${tag}`) return;
      asked = `${relay} ${tag}`;
      if (locale === 'en' || relay === null) return show({ locale, tag, table: {} });
      const request = asked;
      const isCurrent = (): boolean => request === asked;
      const showEnglish = (): void => {
        if (isCurrent() && !isReady) show(ENGLISH);
      };
      const cancel = timing.after(MAX_WAIT_MS, showEnglish);
      void loadFile(`${relay}/locales/${locale}.json`, textsIn, fetch).then((table) => {
        cancel();
        if (!isCurrent()) return;
        if (table) return show({ locale, tag, table });
        showEnglish();
        // the next call asks again
        asked = '';
      });
    },
    ready: () => isReady,
    tag: () => shown.tag,
    locale: () => shown.locale,
    direction: () => (isRightToLeft(shown.locale) ? 'rtl' : 'ltr'),
    texts: (partner) => createTexts(shown.table, partner, shown.tag),
  };
}

/** The texts in a file of the relay. */
const textsIn = (file: unknown): TextTable =>
  Object.fromEntries(Object.entries(file ?? {}).filter(([, text]) => typeof text === 'string'));

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

/** The language of what the element stands in, also outside the shadow roots around it. */
export function languageAround(element: Element): string {
  const named = element.closest('[lang]');
  // The prototype's method: a field named `getAttribute` would replace that of its form.
  if (named) return Element.prototype.getAttribute.call(named, 'lang')?.trim() || 'en';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageAround(root.host) : 'en';
}

/**
 * Calls back when the page changes a language around the element, as a page without reloads does.
 *
 * @returns a function that ends the subscription
 */
export function onLanguageAround(element: Element, callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  for (let root = element.getRootNode(); ; root = root.host.getRootNode()) {
    observer.observe(root, { subtree: true, attributes: true, attributeFilter: ['lang'] });
    if (!(root instanceof ShadowRoot)) break;
  }
  return () => observer.disconnect();
}
