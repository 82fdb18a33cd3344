/** The tags by which a partner's words are found, beside the texts that the relay has. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLanguage, type Language } from '../../../../widget/texts/language.js';
import { en } from '../../../../widget/texts/en.js';
import { localeOf } from '../../../../relay/contract/locales.js';

/** @returns the language of a page with this tag, whose texts are the English ones */
const loadedFor = (tag: string): Promise<Language> =>
  new Promise((resolve) => {
    const language = createLanguage(() => resolve(language));
    const relay = `https://${tag.toLowerCase().replaceAll(/[^a-z]/g, '')}.example/pay`;
    language.load(relay, tag, async () => Response.json({ locale: localeOf(tag), ...en }));
  });

const PARTNER = { pay_shop: { en: 'Pay us', nb: 'Betal oss', de: 'Zahle uns' } };

describe('a partner’s words', () => {
  for (const [tag, words, amounts] of [
    ['de-AT', 'Zahle uns', 'de-AT'],
    ['fr', 'Pay A shop', 'fr'],
    // the relay has no texts in Norwegian, but the partner has
    ['nb', 'Betal oss', 'en'],
    ['nb-NO', 'Betal oss', 'en'],
    ['no such tag', 'Pay us', 'en'],
    ['__proto__', 'Pay us', 'en'],
  ] as const)
    it(`in a page whose language is "${tag}" are “${words}”`, async () => {
      const language = await loadedFor(tag);
      assert.equal(language.texts(PARTNER)('pay_shop', { shop: 'A shop' }), words);
      assert.equal(language.tag(), amounts, 'amounts are written as the texts are');
    });
});

describe('texts that are shown', () => {
  it('are not asked for again, because they are no part of what a retry repairs', async () => {
    let requests = 0;
    const fetch = async (): Promise<Response> => {
      requests++;
      return Response.json({ locale: 'en', ...en });
    };
    await new Promise<void>((resolve) => {
      let isShown = false;
      const load = (again: boolean): void =>
        language.load('https://again.example/pay', 'en', fetch, again);
      const language = createLanguage(() => {
        if (isShown) return resolve();
        isShown = true;
        load(true);
      });
      load(false);
    });
    assert.equal(requests, 1);
  });
});
