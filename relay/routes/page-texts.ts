/** The sentences of the relay's own pages that are read without a script. */
import { localeOf } from '../contract/locales.js';
import type { Assets } from './assets.js';

/** Equal to the element's English texts, which are in its script and in no file of their own. */
export const ENGLISH = {
  problem_reload: 'Please reload the page. If that does not help, contact the shop.',
  needs_script: 'This page needs JavaScript. Switch it on, or contact the shop.',
  problem_rate: 'Too many attempts. Please try again later.',
  support: 'Contact the shop',
  title_link: 'This link does not work',
  problem_link: 'Open the newest message from the shop, or contact the shop.',
};

type PageTexts = Readonly<Record<keyof typeof ENGLISH, string>>;

/**
 * @param assets has the element's texts, by language
 * @returns the texts in the language or a relative of it, else in English
 */
export function pageTexts(assets: Assets, language: string): PageTexts {
  const asset = assets.get(`locales/${localeOf(language)}.json`);
  if (!asset) return ENGLISH;
  return {
    ...ENGLISH,
    ...(JSON.parse(new TextDecoder().decode(asset.body)) as Partial<PageTexts>),
  };
}
