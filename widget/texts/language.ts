/** The language of the element: its tag, its texts and the partner's texts. */
import type { Label } from '../../relay/contract/responses.js';
import type { Fetch } from '../relay-client.js';
import { labelIn } from './label.js';
import { loadTexts, type TextTable } from './load-texts.js';
import { isRightToLeft, localeOf } from './locales.js';
import { createTexts, type Texts } from './texts.js';

export type Language = {
  /** Requests the texts for a language tag. */
  load(relay: string | null, tag: string, fetch?: Fetch): void;
  /** @returns false until the texts have loaded */
  ready(): boolean;
  /** @returns a tag that `Intl` accepts: the page's tag, or else the locale of the texts */
  tag(): string;
  locale(): string;
  direction(): 'ltr' | 'rtl';
  texts(partner: Record<string, Label> | undefined): Texts;
};

/** @param onLoad called when texts have loaded */
export function createLanguage(onLoad: () => void): Language {
  let locale = 'en';
  let tag = 'en';
  let table: TextTable | null = null;
  let cached: { inputs: unknown[]; texts: Texts } | null = null;
  return {
    load: (relay, wanted, fetch) => {
      locale = localeOf(wanted);
      tag = isTag(wanted) ? wanted : locale;
      // An unsupported language gets English texts, so its amounts are written in English too.
      if (locale === 'en' && !/^en\b/i.test(wanted)) tag = 'en';
      const requested = locale;
      if (locale === 'en' || relay === null) table = {};
      else
        void loadTexts(relay, locale, fetch).then((texts) => {
          if (requested !== locale) return;
          table = texts;
          onLoad();
        });
    },
    ready: () => table !== null,
    tag: () => tag,
    locale: () => locale,
    direction: () => (isRightToLeft(locale) ? 'rtl' : 'ltr'),
    texts: (partner) => {
      const inputs = [partner, table, tag];
      if (!cached || cached.inputs.some((input, index) => input !== inputs[index])) {
        const labels = Object.entries(partner ?? {}).map(([key, label]) => [
          key,
          labelIn(label, tag),
        ]);
        cached = { inputs, texts: createTexts(table ?? {}, Object.fromEntries(labels)) };
      }
      return cached.texts;
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

/** Calls the prototype's method: a field named `getAttribute` would replace that of its form. */
export function languageAround(element: Element): string {
  const named = element.closest('[lang]');
  return (named && Element.prototype.getAttribute.call(named, 'lang')) || 'en';
}
