/**
 * Which languages there are, and which one a page's tag means. English stands in the script; the
 * others come from the relay.
 */

import { own } from '../../relay/contract/read.js';

export const LOCALES =
  'ar,bn,cs,de,el,en,es,fa,fil,fr,he,hi,id,it,ja,kk,ko,ms,nl,pl,pt-BR,ro,ru,sw,th,tr,uk,ur,uz,vi,zh-CN,zh-TW'.split(
    ',',
  );

/** Old codes, and tags whose language alone does not say it. */
const ALSO: Record<string, string> = {
  iw: 'he',
  in: 'id',
  tl: 'fil',
  pt: 'pt-BR',
  zh: 'zh-CN',
  'zh-hant': 'zh-TW',
  'zh-hk': 'zh-TW',
  'zh-mo': 'zh-TW',
};

/** `ru-RU` is `ru`, `zh-Hant-HK` is `zh-TW`; a language that is not there is English. */
export function localeOf(tag: string): string {
  for (
    let parts = tag.toLowerCase().replaceAll('_', '-').split('-');
    parts.length > 0;
    parts = parts.slice(0, -1)
  ) {
    const name = parts.join('-');
    const found = LOCALES.find((locale) => locale.toLowerCase() === name) ?? own(ALSO, name);
    if (found) return found;
  }
  return 'en';
}

export const isRightToLeft = (locale: string): boolean => ['ar', 'fa', 'he', 'ur'].includes(locale);
