/** The shop's own sentences: whether the element has their keys and placeholders. */
import { own } from '../contract/read.js';
import type { Config } from './schema.js';
import { TEXT_KEYS } from './text-keys.js';

type Mistake = [path: string, what: string];

/** @returns each text that the element never shows, or shows with braces */
export function wrongTexts({ texts }: Pick<Config, 'texts'>): Mistake[] {
  return Object.entries(texts).flatMap(([key, label]): Mistake[] => {
    const path = `texts.${key}`;
    const known = own(TEXT_KEYS, key);
    if (!known) return [[path, 'never shown: the element has no text of this key']];
    const byLocale: [path: string, text: string][] =
      typeof label === 'string'
        ? [[path, label]]
        : Object.entries(label).map(([locale, text]) => [`${path}.${locale}`, text]);
    return byLocale.flatMap(([at, text]) =>
      wrongPlaceholders(text, known).map((wrong): Mistake => [at, wrong]),
    );
  });
}

const wrongPlaceholders = (text: string, known: readonly string[]): string[] => {
  const all = known.map((name) => `{${name}}`);
  const has = all.length > 0 ? `has only ${all.join(' and ')}` : 'has no placeholders';
  return (text.match(/\{[^{}]*\}/g) ?? [])
    .filter((found) => !all.includes(found))
    .map((found) => `${found} stays as it is: this text ${has}`);
};
