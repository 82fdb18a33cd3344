/** The wallets of an option: which are accepted, which are left out, how a wrong one is named. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findings } from '../../../../relay/commands/check-findings.js';
import { unshownImages } from '../../../../relay/config/images.js';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import { unseenWallets } from '../../../../relay/config/wallets.js';
import { readSecret, testConfig } from '../../support/world.js';

const links = { hosts: ['qr.example', 'bank.example'], schemes: ['birch'] };
const parsed = (wallets: unknown, rules: ConfigFile['links'] = links): Config =>
  parseConfig(
    {
      ...testConfig,
      links: rules,
      options: [{ id: 'card', label: 'Card', payment_method: 'on_line', wallets }],
    },
    readSecret,
  );
function problem(wallets: unknown, rules?: ConfigFile['links']): string {
  try {
    parsed(wallets, rules);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.join('\n');
  }
}
const birch = { name: 'Birch Bank', scheme: 'birch' };
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Bank ${index}`,
    android_package: `example.bank${index}`,
  }));

describe('the wallets of an option', () => {
  it('accepts 200 wallets, and each of the three ways to open a link', () => {
    assert.equal(problem(many(200)), '');
    assert.equal(problem([birch, { name: 'A', https: 'https://bank.example/sbp' }]), '');
    const [wallet] = parsed([{ name: ' A ', https: 'https://bank.example/sbp/' }]).options.flatMap(
      (option) => option.wallets ?? [],
    );
    assert.deepEqual(wallet, { name: 'A', https: 'https://bank.example/sbp' });
  });

  for (const [what, wallets, message] of [
    ['an empty list', [], /^options\.0\.wallets: \[\]; expected at least 1 entries/],
    ['201 wallets', many(201), /^options\.0\.wallets: a list; expected at most 200 entries/],
    [
      'no way to open a link',
      [birch, { name: 'Nowhere' }],
      /^options\.0\.wallets\.1: an object; expected at least one of https, scheme and android/,
    ],
    [
      'the same name twice',
      [birch, { ...birch, android_package: 'a.b' }],
      /^options\.0\.wallets\.1\.name: "Birch Bank"; expected a value of name that no other/,
    ],
    [
      'a scheme that links.schemes lacks',
      [birch, { name: 'Foreign', scheme: 'foreign' }],
      /^options\.0\.wallets\.1\.scheme: "foreign"; expected a scheme of links.schemes; add "for/,
    ],
    [
      'a scheme that no wallet has',
      [{ name: 'A', scheme: 'javascript' }],
      /^options\.0\.wallets\.0\.scheme: "javascript"; expected a wallet scheme/,
    ],
    [
      'a host that links.hosts lacks',
      [{ name: 'A', https: 'https://evil.example/x' }],
      /^options\.0\.wallets\.0\.https: .*; expected a link that links.hosts allows; add evil/,
    ],
    [
      'another port of a host',
      [{ name: 'A', https: 'https://bank.example:8443' }],
      /^options\.0\.wallets\.0\.https: .*; add bank\.example:8443 there/,
    ],
    [
      'a query in https',
      [{ name: 'A', https: 'https://bank.example/?to=' }],
      /^options\.0\.wallets\.0\.https: .*; expected an https URL without user/,
    ],
    [
      'a package with more than a name',
      [{ name: 'A', android_package: 'a.b;S.browser_fallback_url=https://evil.example' }],
      /^options\.0\.wallets\.0\.android_package: /,
    ],
    [
      'an invisible character in a name',
      [{ ...birch, name: 'Bir\u202ech' }],
      /^options\.0\.wallets\.0\.name: .*; expected one line without invisible characters/,
    ],
    [
      'an icon that is not https',
      [{ ...birch, icon_url: 'http://bank.example/icon.png' }],
      /^options\.0\.wallets\.0\.icon_url: /,
    ],
    ['an unknown field', [{ ...birch, url: 'x' }], /^options\.0\.wallets\.0\.url: an unknown fie/],
  ] as const)
    it(`refuses ${what}, and names its path`, () => assert.match(problem(wallets), message));

  it('accepts a scheme with a path, whose scheme links.schemes has', () => {
    const wallets = [{ name: 'Birch', scheme: 'birch://upi/pay' }];
    assert.equal(problem(wallets), '');
    assert.match(
      problem([{ name: 'Tez', scheme: 'tez://upi/pay' }]),
      /^options\.0\.wallets\.0\.scheme: "tez:.*; add "tez" there/,
    );
    for (const scheme of ['birch:upi', 'birch://', 'birch://upi/', 'birch://u?x', 'https://a/b'])
      assert.match(problem([{ name: 'A', scheme }]), /expected a wallet scheme/, scheme);
  });

  it('lets check name wallets that are never shown, because no link is opened', async () => {
    const app = [{ name: 'A', android_package: 'a.b' }];
    const cases: [rules: ConfigFile['links'], paths: string[]][] = [
      [{ hosts: [] }, ['options.0.wallets']],
      [{ hosts: [], schemes: ['upi'] }, []],
      [{}, []],
    ];
    for (const [rules, paths] of cases) {
      const found = await findings(parsed(app, rules), { isOffline: true });
      assert.deepEqual(
        found.flatMap(({ path }) => (path.includes('wallets') ? [path] : [])),
        paths,
      );
    }
    const { links, options } = parsed(app);
    const paths = (['open', 'copy', 'save'] as const).map((phone_action) => {
      const own = options.map((option) => ({ ...option, payment_type: 'qrcode', phone_action }));
      return unseenWallets({ links, options: own });
    });
    assert.deepEqual(paths, [[], ['options.0.wallets'], ['options.0.wallets']]);
  });

  it('accepts any https host when links.hosts is absent', () => {
    const wallets = [{ name: 'A', https: 'https://any.example' }];
    assert.equal(problem(wallets, {}), '');
    assert.notEqual(problem([{ name: 'A', https: 'https://any.example:1' }], {}), '');
  });

  it('names the first icon on each host that no page shows', () => {
    const icons = ['https://cdn.example/1', 'https://cdn.example/2', 'https://other.example/3'];
    const wallets = icons.map((icon_url, index) => ({ ...birch, name: `${index}`, icon_url }));
    const config = parsed(wallets);
    const paths = [0, 2].map((index) => `options.0.wallets.${index}.icon_url`);
    assert.deepEqual(unshownImages(config), paths);
    const shop = { ...config.shop, image_hosts: ['cdn.example', 'other.example'] };
    assert.deepEqual(unshownImages({ ...config, shop }), []);
  });
});
