/** Every translation has each English text, with the same placeholders, and is translated. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { en, type TextKey } from '../../../../widget/texts/en.js';
import { LOCALES, localeOf } from '../../../../relay/contract/locales.js';
import { backTranslatedLocales, criticalTexts } from './reviewed-texts.js';

const folder = new URL('../../../../widget/texts/locales/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const tableOf = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, string>;

/** Texts that are the same word in a language and in English. */
const SAME: Record<string, readonly TextKey[]> = {
  cs: ['tag'],
  el: ['tag'],
  fil: ['address', 'tag'],
  fr: ['email', 'tag'],
  ha: ['tag'],
  id: ['deposit', 'tag'],
  it: ['tag'],
  ms: ['deposit', 'tag'],
  nl: ['tag'],
  pl: ['tag'],
  'pt-BR': ['email', 'tag'],
  'pt-PT': ['email', 'tag'],
  ro: ['tag'],
  vi: ['tag'],
};

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('languages', () => {
  it('lists a locale for every translation file, and English', () => {
    assert.deepEqual(
      files
        .map((name) => name.replace('.json', ''))
        .concat('en')
        .sort(),
      [...LOCALES].sort(),
    );
  });
  for (const name of files) {
    const locale = name.replace('.json', '');
    it(`translates every text into ${locale}`, () => {
      const { locale: ownLocale, ...table } = tableOf(name);
      assert.equal(ownLocale, locale);
      assert.deepEqual(Object.keys(table).sort(), Object.keys(en).sort());
      for (const [key, text] of Object.entries(en)) {
        const own = table[key] ?? '';
        assert.notEqual(own.trim(), '', key);
        assert.deepEqual(placeholders(own), placeholders(text), key);
        assert.doesNotMatch(own, /[<>]/, key);
        const same = (SAME[locale] ?? []).includes(key as TextKey);
        assert.equal(own === text, same, `${key} is ${same ? 'not ' : ''}the English text: ${own}`);
      }
    });
  }
  // Words of the other way to address the customer: formal in Italian, the plural in Hebrew.
  for (const [locale, other] of [
    ['it', /(?<!\p{L})(lei|apra|inserisca|contatti|non paghi|se ha)(?!\p{L})/iu],
    ['he', /שלכם|בעצמכם|שילמתם|תשלמו|הזינו|בחרו/u],
  ] as const)
    it(`addresses the customer in one way in ${locale}`, () => {
      const texts = Object.values(tableOf(`${locale}.json`));
      assert.deepEqual(
        texts.filter((text) => other.test(text)),
        [],
      );
    });
  it('names only existing locales as back-translated', () => {
    for (const locale of backTranslatedLocales) assert.ok(LOCALES.includes(locale), locale);
    assert.ok(criticalTexts.length >= 15);
  });
});

describe('localeOf', () => {
  for (const [tag, locale] of [
    ['ru-RU', 'ru'],
    ['RU', 'ru'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-PT'],
    ['pt-AO', 'pt-BR'],
    ['es-MX', 'es-419'],
    ['es_419', 'es-419'],
    ['es-ES', 'es'],
    ['est', 'en'],
    ['zh', 'zh-CN'],
    ['zh-Hant-HK', 'zh-TW'],
    ['zh_TW', 'zh-TW'],
    ['iw', 'he'],
    ['tl-PH', 'fil'],
    ['en-GB', 'en'],
    ['xx', 'en'],
    ['', 'en'],
    ['<b>', 'en'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    ['toString', 'en'],
  ] as const)
    it(`reads the language tag “${tag}” as ${locale}`, () => assert.equal(localeOf(tag), locale));
});
