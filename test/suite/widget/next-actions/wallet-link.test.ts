/** How a wallet opens the order's link, for each kind of link, device and wallet. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Wallet } from '../../../../relay/contract/responses.js';
import { walletLink } from '../../../../widget/next-actions/wallet-link.js';

const SBP = 'https://qr.nspk.ru/AS10003P?type=02&sum=4850';
const UPI = 'upi://pay?pa=shop@bank&am=48.50';
const all = {
  scheme: 'bank100000000111',
  https: 'https://bank.example/sbp',
  android_package: 'ru.bank.app',
};
const device = {
  android: false,
  linkSchemes: ['bank100000000111', 'upi', 'bitcoin', 'phonepe', 'tez'],
};
const linkOf = (wallet: Partial<Wallet>, link: string, more: object = {}): string | undefined =>
  walletLink({ name: 'Bank', ...wallet }, link, { ...device, nothingOpened: false, ...more });

describe('the link of a wallet', () => {
  const scheme = { scheme: all.scheme };
  const https = { https: all.https };
  const app = { android_package: all.android_package };
  for (const [what, wallet, link, expected] of [
    ['replaces the scheme', scheme, SBP, `bank100000000111${SBP.slice(5)}`],
    ['replaces scheme and host', https, SBP, `${all.https}/AS10003P?type=02&sum=4850`],
    ['replaces the host of a link without a path', https, 'https://a.example', all.https],
    ['keeps a query after a host', https, 'https://a.example?x=1', `${all.https}?x=1`],
    ['keeps a fragment', https, 'https://a.example/#x', `${all.https}/#x`],
    ['replaces port and user too', https, 'https://a:b@c.example:1/x', `${all.https}/x`],
    ['keeps a path of two hosts', https, 'https://a.example//b.example', `${all.https}//b.example`],
    ['replaces the scheme of UPI', { scheme: 'phonepe' }, UPI, `phonepe${UPI.slice(3)}`],
    ['replaces scheme and host of UPI', https, UPI, `${all.https}?pa=shop@bank&am=48.50`],
    [
      'replaces the host by its own path',
      { scheme: 'tez://upi/pay' },
      UPI,
      `tez://upi/${UPI.slice(6)}`,
    ],
    [
      'is absent where a coin has no host for its path',
      { scheme: 'tez://upi' },
      'bitcoin:b',
      undefined,
    ],
    ['has no path of another scheme', { scheme: 'other://pay' }, UPI, undefined],
    ['replaces the scheme of a coin', { scheme: 'phonepe' }, 'bitcoin:bc1q', 'phonepe:bc1q'],
    ['is absent where a coin has no host', https, 'bitcoin:bc1q', undefined],
    ['is absent for an app where the device has no Android', app, SBP, undefined],
    ['prefers the scheme', { ...scheme, ...https }, SBP, `bank100000000111${SBP.slice(5)}`],
    ['has no scheme that the shop did not allow', { scheme: 'other' }, SBP, undefined],
    ['has no refused scheme', { scheme: 'javascript' }, SBP, undefined],
    ['is no foreign app', { scheme: 'intent' }, `${SBP}#Intent;package=evil;end`, undefined],
    ['is https', { https: 'http://bank.example' }, SBP, undefined],
    ['is absent without a way to open it', {}, SBP, undefined],
    [
      'skips a way that is not safe',
      { ...https, scheme: 'edge' },
      SBP,
      `${all.https}${SBP.slice(18)}`,
    ],
  ] as const)
    it(`the link of a wallet ${what}`, () => {
      const linkSchemes = [...device.linkSchemes, 'javascript', 'intent', 'edge'].filter(
        (name) => name !== 'other',
      );
      assert.equal(linkOf(wallet, link, { linkSchemes }), expected);
    });

  const intent = (link: string, own: string): string =>
    `intent${link.slice(link.indexOf(':'))}#Intent;scheme=${own};package=ru.bank.app;end`;
  for (const [what, link, expected] of [
    ['names the app of an https link', SBP, intent(SBP, 'https')],
    ['names the app of a link in capitals', SBP.toUpperCase(), intent(SBP.toUpperCase(), 'https')],
    ['names the app of UPI', UPI, intent(UPI, 'upi')],
    ['names no app beside a fragment', `${SBP}#Intent;package=evil;end`, undefined],
    ['names no app of a link without a host', 'bitcoin:bc1q', undefined],
  ] as const)
    it(`the link of a wallet ${what} on Android`, () =>
      assert.equal(linkOf(app, link, { android: true }), expected));

  it('the link of a wallet names no app whose package has another field in it', () => {
    const wallet = { android_package: 'a.b;S.browser_fallback_url=https%3A%2F%2Fevil.example' };
    assert.equal(linkOf(wallet, SBP, { android: true }), undefined);
  });

  it('the link of a wallet is the app first, and the page once a tap has opened nothing', () => {
    assert.equal(linkOf(all, SBP, { android: true }), intent(SBP, 'https'));
    const page = `${all.https}/AS10003P?type=02&sum=4850`;
    assert.equal(linkOf(all, SBP, { android: true, nothingOpened: true }), page);
    assert.equal(linkOf(all, SBP, { nothingOpened: true }), page);
    assert.equal(linkOf(scheme, SBP, { nothingOpened: true }), `bank100000000111${SBP.slice(5)}`);
  });
});
