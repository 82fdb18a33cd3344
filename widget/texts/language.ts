/** The language of the element: its tag, its texts and the partner's texts. */
import type { Label } from '../../relay/contract/responses.js';
import type { Fetch } from '../relay-client.js';
import { timing } from '../timing.js';
import { textsPath } from '../../relay/contract/paths.js';
import { loadFile } from '../load-file.js';
import { createTexts, type TextTable, type Texts } from './texts.js';

export type Language = {
  /**
   * Requests the texts for a language tag.
   *
   * @param again also when they are being asked for already
   */
  load(relay: string | null, tag: string, fetch?: Fetch, again?: boolean): void;
  /** @returns false until texts can be shown */
  ready(): boolean;
  /** @returns whether the texts could not be loaded, and there are none of another language */
  isMissing(): boolean;
  /** @returns a tag that `Intl` accepts: the page's tag, or else the locale of the texts */
  tag(): string;
  locale(): string;
  /** @returns the locales of a partner's words, the best one first */
  locales(): readonly string[];
  direction(): 'ltr' | 'rtl';
  texts(partner: Record<string, Label> | undefined): Texts;
};

/** Texts with the language of their amounts and dates: both change together. */
type Shown = {
  readonly locale: string;
  readonly tag: string;
  /** The page's tag, in which the partner may have words, also when the relay has no texts. */
  readonly wanted: string;
  readonly table: TextTable;
};

/** The script's own texts. */
const NONE: Shown = { locale: 'en', tag: 'en', wanted: 'en', table: {} };

/** After this time the customer reads that nothing has come; the texts may still come. */
const SLOW_MS = 10_000;
/** Between two requests for a file that could not be loaded. */
const REPEAT_MS = 5000;

/**
 * @param onChange called when texts have loaded, and when they could not be loaded
 * @param isWanted whether a file that could not be loaded is asked for again
 */
export function createLanguage(onChange: () => void, isWanted = (): boolean => false): Language {
  /** Another object for each call of `load` that asks. */
  let asked = { url: '' };
  let shown: Shown | 'loading' | 'missing' = 'loading';
  const current = (): Shown => (typeof shown === 'string' ? NONE : shown);
  const show = (next: typeof shown): void => {
    shown = next;
    onChange();
  };
  const miss = (): void => {
    if (shown === 'loading') show('missing');
  };
  const request = async (
    wanted: string,
    fetch: Fetch | undefined,
    again: boolean,
  ): Promise<void> => {
    const mine = asked;
    const isCurrent = (): boolean => mine === asked;
    for (;;) {
      const cancel = timing.after(SLOW_MS, () => isCurrent() && miss());
      const file = await loadFile(mine.url, textsIn, fetch, again);
      cancel();
      if (!isCurrent()) return;
      if (file) return show(shownIn(file, wanted));
      miss();
      if (!isWanted()) {
        asked = { url: '' };
        return;
      }
      await new Promise<void>((resolve) => timing.after(REPEAT_MS, resolve));
      if (!isCurrent()) return;
      again = true;
    }
  };
  return {
    load: (relay, wanted, fetch, again = false) => {
      const url = relay === null ? '' : relay + textsPath(wanted);
      if (url === asked.url && url !== '' && !again) return;
      asked = { url };
      if (url === '') return miss();
      if (again && shown === 'missing') show('loading');
      void request(wanted, fetch, again && typeof shown === 'string');
    },
    ready: () => shown !== 'loading',
    isMissing: () => shown === 'missing',
    tag: () => current().tag,
    locale: () => current().locale,
    locales: () => localesOf(current()),
    direction: () => (isRightToLeft(current().locale) ? 'rtl' : 'ltr'),
    texts: (partner) => createTexts(current().table, partner, localesOf(current())),
  };
}

/** An unsupported language gets English texts, so its amounts are written in English too. */
function shownIn(file: Pick<Shown, 'locale' | 'table'>, wanted: string): Shown {
  const isForeign = file.locale === 'en' && !/^en\b/i.test(wanted);
  const named = isTag(wanted) ? wanted : file.locale;
  return { ...file, tag: isForeign ? file.locale : named, wanted: named };
}

/** The page's tag, its language, and the locale that stands for it. */
const localesOf = ({ locale, wanted }: Shown): string[] => [
  wanted,
  wanted.split('-')[0] ?? '',
  locale,
];

/** The texts in a file of the relay, which names its locale beside them. */
function textsIn(file: unknown): Pick<Shown, 'locale' | 'table'> {
  const texts = Object.entries(file ?? {}).filter(([, text]) => typeof text === 'string');
  const { locale, ...table } = Object.fromEntries<string>(texts);
  // This is no file of texts. The caller treats it like a file that did not load.
  if (locale === undefined) throw new Error();
  return { locale, table };
}

/** @param tag a locale, or a language tag that stands for one */
export const isRightToLeft = (tag: string): boolean => /^(ar|fa|he|iw|ur)\b/i.test(tag);

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

/** The language of what the element stands in, within the same document or shadow root. */
export function languageNamed(element: Element): string {
  const named = element.closest('[lang]');
  // The prototype's method: a field named `getAttribute` would replace that of its form.
  return (named && Element.prototype.getAttribute.call(named, 'lang')?.trim()) || 'en';
}

/** The language of what the element stands in, also outside the shadow roots around it. */
export function languageAround(element: Element): string {
  const root = element.getRootNode();
  return root instanceof ShadowRoot && !element.closest('[lang]')
    ? languageAround(root.host)
    : languageNamed(element);
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
