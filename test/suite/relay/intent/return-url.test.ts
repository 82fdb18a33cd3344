/** Every URL parser reads a configured host from an accepted return_url. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../relay/contract/failure.js';
import { readReturnUrl } from '../../../../relay/intent/return-url.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { SECRETS, testConfig } from '../../support/world.js';

const { shop } = parseConfig(
  {
    ...testConfig,
    shop: {
      name: 'Shop',
      origins: ['https://shop.test'],
      return_hosts: ['shop.test', 'Other.test:8443', 'localhost:5173', '[::1]'],
    },
  },
  (reference) => ('env' in reference ? SECRETS[reference.env] : undefined),
);
const outcome = (text: string): string => {
  try {
    return readReturnUrl({ shop }, text);
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.field, 'return_url');
    return error.code;
  }
};

describe('readReturnUrl', () => {
  for (const [text, serialised] of [
    ['https://shop.test/thanks?order=1#done', 'https://shop.test/thanks?order=1#done'],
    ['https://shop.test', 'https://shop.test/'],
    ['HTTPS://SHOP.test:443/a/../b', 'https://shop.test/b'],
    ['https://shop.test/ä?q="x"', 'https://shop.test/%C3%A4?q=%22x%22'],
    ['https://shop.test/?next=https://evil.example/@x', undefined],
    ['https://shop.test/mail@evil.example', undefined],
    ['https://other.test:8443/', undefined],
    ['http://localhost:5173/thank-you.html', undefined],
    ['http://[::1]/', undefined],
  ] as const)
    it(`forwards the return_url ${text}`, () => assert.equal(outcome(text), serialised ?? text));

  it('forwards a return_url of 2,048 characters', () => {
    const text = `https://shop.test/${'a'.repeat(2030)}`;
    assert.equal(outcome(text), text);
  });

  for (const text of [
    'https://shop.test\\@evil.example/',
    'https://evil.example\\@shop.test/',
    'https://shop.test\\.evil.example/',
    'https:\\\\shop.test/',
    'https://shop.test@evil.example/',
    'https://evil.example@shop.test/',
    'https://user:pw@shop.test/',
    'https://@shop.test/',
    'https://:@shop.test/',
    'https:shop.test/',
    'https:/shop.test/',
    'https:///shop.test/',
    'https:////shop.test/',
    'https://shop.test#@evil.example/',
    'https://shop.test?@evil.example/',
    'https://shop%2etest/',
    'https://shop.test%2eevil.example/',
    'https://shop.test%00.evil.example/',
    'https://ｓhop.test/',
    'https://shop。test/',
    'https://ѕhop.test/',
    'https://sho\u00adp.test/',
    'https://shop.test./',
    'https://shop.test:8443/',
    'https://other.test/',
    'https://shop.test.evil.example/',
    'https://sub.shop.test/',
    'https://evil.example/',
    'http://shop.test/',
    'http://localhost/',
    'https://localhost/',
    'ftp://shop.test/',
    'javascript://shop.test/%0aalert(1)',
    'data:text/html,x',
    '//shop.test/',
    '/thanks',
    'shop.test',
    '',
    ' https://shop.test/',
    'https://shop.test/ ',
    'https://shop.test/a b',
    'https://shop.test/a\u00a0b',
    'https://sh\top.test/',
    'https://shop.test/\n',
    'https://shop.test/\u0000',
    'https://shop.test/\u202etxt',
    'https://shop.test/\u200b',
    'https://shop.test/\ud800',
    'https://shop.test/\\evil',
    `https://shop.test/${'ä'.repeat(1000)}`,
    `https://shop.test/${'a'.repeat(2048)}`,
    `https://shop.test/${'a'.repeat(2031)}`,
  ])
    it(`refuses the return_url ${JSON.stringify(text).slice(0, 60)}`, () =>
      assert.equal(outcome(text), 'return_host_refused'));
});
