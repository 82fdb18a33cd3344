/**
 * The supported locales, and the choice of one for a language tag. The relay serves the texts of
 * each.
 */
import { own } from './read.js';

export const LOCALES = (
  'am,ar,az,bg,bn,cs,de,el,en,es,es-419,fa,fil,fr,ha,he,hi,hu,hy,id,it,ja,ka,kk,km,ko,ky,lo,' +
  'mn,ms,my,ne,nl,pl,pt-BR,pt-PT,ro,ru,si,sw,ta,tg,th,tr,uk,ur,uz,vi,zh-CN,zh-TW'
).split(',');

/** Old codes, and tags whose language alone does not determine the locale. */
const ALIASES: Record<string, string> = {
  iw: 'he',
  in: 'id',
  tl: 'fil',
  pt: 'pt-BR',
  zh: 'zh-CN',
  'zh-hant': 'zh-TW',
  'zh-hk': 'zh-TW',
  'zh-mo': 'zh-TW',
};

/** `ru-RU` gives `ru`, `zh-Hant-HK` gives `zh-TW`; an unsupported language gives `en`. */
export function localeOf(tag: string): string {
  // The countries of Latin America share their words for money; Spain has others.
  if (/^es[-_](?!es\b)/i.test(tag)) return 'es-419';
  for (
    let parts = tag.toLowerCase().replaceAll('_', '-').split('-');
    parts.length > 0;
    parts = parts.slice(0, -1)
  ) {
    const name = parts.join('-');
    const found = LOCALES.find((locale) => locale.toLowerCase() === name) ?? own(ALIASES, name);
    if (found) return found;
  }
  return 'en';
}
