/**
 * The element's language: its tag, its texts, and the partner's own words. Nothing is said before
 * the texts have come.
 */
import type { Label } from '../../relay/contract/responses.js';
import type { Fetch } from '../relay-client.js';
import { labelIn } from './format.js';
import { loadTexts, type TextTable } from './load-texts.js';
import { isRightToLeft, localeOf } from './locales.js';
import { createTexts, type Texts } from './texts.js';

export type Words = {
  /** Asks for the texts of the language that `tag` means. */
  load(relay: string | null, tag: string, fetch?: Fetch): void;
  ready(): boolean;
  /** A tag that Intl takes: the page's own, or that of the texts. */
  tag(): string;
  locale(): string;
  direction(): 'ltr' | 'rtl';
  texts(own: Record<string, Label> | undefined): Texts;
};

/** @param changed called when texts have come */
export function createWords(changed: () => void): Words {
  let locale = 'en';
  let tag = 'en';
  let table: TextTable | null = null;
  let made: { from: unknown[]; texts: Texts } | null = null;
  return {
    load: (relay, wanted, fetch) => {
      locale = localeOf(wanted);
      tag = isTag(wanted) ? wanted : locale;
      // a language that nobody wrote reads as English, and so do its amounts
      if (locale === 'en' && !/^en\b/i.test(wanted)) tag = 'en';
      const asked = locale;
      if (locale === 'en' || relay === null) table = {};
      else
        void loadTexts(relay, locale, fetch).then((texts) => {
          if (asked !== locale) return;
          table = texts;
          changed();
        });
    },
    ready: () => table !== null,
    tag: () => tag,
    locale: () => locale,
    direction: () => (isRightToLeft(locale) ? 'rtl' : 'ltr'),
    texts: (own) => {
      const from = [own, table, tag];
      if (!made || made.from.some((part, index) => part !== from[index])) {
        const words = Object.entries(own ?? {}).map(([key, label]) => [key, labelIn(label, tag)]);
        made = { from, texts: createTexts(table ?? {}, Object.fromEntries(words)) };
      }
      return made.texts;
    },
  };
}

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

/** Asked of the prototype: inside a form, a field of the name `getAttribute` would stand for it. */
export function languageAround(element: Element): string {
  const named = element.closest('[lang]');
  return (named && Element.prototype.getAttribute.call(named, 'lang')) || 'en';
}
