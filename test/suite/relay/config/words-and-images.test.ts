/** The configured words and images of the shop and its options: which are accepted and shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unshownImages } from '../../../../relay/config/images.js';
import { wordsOfChannel } from '../../../../relay/config/own-words.js';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config } from '../../../../relay/config/schema.js';
import { readSecret, testConfig } from '../../support/world.js';

const parsed = (option: object, shop: object = {}): Config =>
  parseConfig(
    {
      ...testConfig,
      shop: { ...testConfig.shop, ...shop },
      options: [{ id: 'card', label: 'Card', payment_method: 'on_line', ...option }],
    },
    readSecret,
  );
const problem = (option: object, shop: object = {}): string => {
  try {
    parsed(option, shop);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.join('\n');
  }
};

describe('the words of an option', () => {
  it('accepts the words of an option as one text, or by locale', () => {
    const words = { copy_code: 'Copy', scan: { en: 'Scan', 'pt-BR': 'Escaneie', fa: 'می‌خواهم' } };
    assert.deepEqual(parsed({ words }).options[0]?.words, words);
    assert.equal(problem({ words: {} }), '');
  });

  for (const [what, words, field] of [
    ['an unknown key', { copy: 'Copy' }, 'words.copy'],
    ['an empty text', { scan: ' ' }, 'words.scan'],
    ['81 characters', { scan: 'x'.repeat(81) }, 'words.scan'],
    ['a bidirectional control', { scan: 'Scan \u202ethis' }, 'words.scan'],
    ['a zero-width character in a locale', { scan: { en: 'Sc\u200ban' } }, 'words.scan.en'],
    ['two lines', { copy_code: 'Copy\nthis' }, 'words.copy_code'],
    ['an invalid locale', { scan: { '<b>': 'Scan' } }, 'words.scan'],
    ['a number', { scan: 1 }, 'words.scan'],
  ] as const)
    it(`refuses the words of an option, with their path, when they have ${what}`, () => {
      const message = problem({ words });
      assert.ok(message.startsWith(`options.0.${field}: `), message);
    });

  it('has built-in words for the channels that customers know by name', () => {
    for (const channel of ['pix', 'PIX_dynamic', 'sbp_qr', 'qris', 'upi-intent'])
      assert.ok(wordsOfChannel(channel)?.scan, channel);
    for (const channel of ['bank_page', 'pixel', 'constructor', '', undefined])
      assert.equal(wordsOfChannel(channel), undefined, channel);
  });
});

describe('the action on a phone', () => {
  it('accepts one of three actions on a phone, and refuses any other', () => {
    assert.equal(problem({ phone_action: 'save' }), '');
    assert.match(problem({ phone_action: 'call' }), /phone_action: "call"; expected one of "open"/);
  });
});

describe('an image', () => {
  for (const url of [
    'http://shop.example/a.png',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'javascript:alert(1)',
    '//shop.example/a.png',
    'https://user:secret@shop.example/a.png',
    `https://shop.example/${'a'.repeat(2048)}`,
  ])
    it(`refuses an image at ${url.slice(0, 40)}`, () => {
      assert.match(problem({ icon_url: url }), /^options\.0\.icon_url: /);
      assert.match(problem({}, { logo_url: url }), /^shop\.logo_url: /);
      assert.doesNotMatch(problem({ icon_url: url }), /secret/);
    });

  it('reports an image when its host is neither the shop’s nor configured', () => {
    const at = (icon_url: string, image_hosts: string[] = []): string[] =>
      unshownImages(parsed({ icon_url }, { logo_url: 'https://shop.example/l.svg', image_hosts }));
    assert.deepEqual(at('https://shop.example/card.png'), []);
    assert.deepEqual(at('https://cdn.example/card.png'), ['options.0.icon_url']);
    assert.deepEqual(at('https://cdn.example/card.png', ['cdn.example']), []);
    assert.deepEqual(at('https://a.cdn.example/card.png', ['*.cdn.example']), []);
    assert.deepEqual(at('https://cdn.example:8443/card.png', ['cdn.example']), [
      'options.0.icon_url',
    ]);
    assert.deepEqual(at('http://localhost:5173/card.png'), ['options.0.icon_url']);
  });

  it('refuses an entry of image_hosts that is not a host', () => {
    for (const host of ['https://cdn.example', 'cdn.example; script-src *', "'unsafe-inline'", ''])
      assert.match(problem({}, { image_hosts: [host] }), /^shop\.image_hosts\.0: /, host);
  });
});
