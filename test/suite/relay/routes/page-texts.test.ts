/** The relay's own pages speak the languages of the element. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAsset, type Asset } from '../../../../relay/routes/assets.js';
import { textsPath } from '../../../../relay/contract/paths.js';
import { ENGLISH, pageTexts } from '../../../../relay/routes/own-page.js';
import { en, type TextKey } from '../../../../widget/texts/en.js';

const assets = new Map<string, Asset>(
  ['de', 'en', 'he', 'pt-BR', 'zh-CN', 'zh-TW'].map((tag) => [
    `locales/${tag}.json`,
    {
      type: 'application/json',
      body: new TextEncoder().encode(JSON.stringify(tag === 'en' ? ENGLISH : { support: tag })),
      immutable: false,
      etag: '',
    },
  ]),
);

describe('the texts of the relay’s own pages', () => {
  it('equal the element’s in English', () => {
    for (const [key, text] of Object.entries(ENGLISH)) assert.equal(en[key as TextKey], text);
  });

  for (const [language, found] of [
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['zh', 'zh-CN'],
    ['zh-HK', 'zh-TW'],
    ['iw-IL', 'he'],
    ['en-GB', ENGLISH.support],
    ['xx', ENGLISH.support],
  ] as const)
    it(`finds for ${language} the texts of ${found}`, () =>
      assert.equal(pageTexts(assets, language).support, found));
});

describe('the file of texts for a language tag', () => {
  const served = (name: string): string | undefined => {
    const body = findAsset(assets, `locales/${name}.json`)?.body;
    return body && (JSON.parse(new TextDecoder().decode(body)) as { support: string }).support;
  };
  for (const [tag, found] of [
    ['de', 'de'],
    ['de-AT', 'de'],
    ['zh-Hant-HK', 'zh-TW'],
    ['xx', ENGLISH.support],
    ['', ENGLISH.support],
    ['__proto__', ENGLISH.support],
  ] as const)
    it(`is that of ${found} for “${tag}”`, () => assert.equal(served(tag), found));

  it('is not searched for a text that is longer than a tag', () => {
    assert.equal(served('-'.repeat(36)), undefined);
    assert.match(textsPath(`de-${'x'.repeat(99)}`), /^\/locales\/[\w-]{35}\.json$/);
  });
});
