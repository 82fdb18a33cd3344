/** The customer's next action, chosen by the links that the service returned. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NextAction } from '../../../../relay/contract/order.js';
import { readNextAction, withAllowedLink } from '../../../../relay/orders/next-action.js';
import { fresh, rules } from './fresh-order.js';

const read = (answer: Parameters<typeof readNextAction>[0]): unknown =>
  readNextAction(answer, { ...rules.links, schemes: ['wallet'] });
const PAGE = 'https://pay.example/1';

describe('readNextAction', () => {
  it('returns a different action for a code, a page link and a wallet link', () => {
    assert.deepEqual(read({ qrcode_string: 'qr' }), { kind: 'scan_qr', qrcode_string: 'qr' });
    assert.deepEqual(read({ checkout_url: PAGE }), { kind: 'open_page', checkout_url: PAGE });
    assert.deepEqual(read({ wallet_url: 'wallet://1' }), {
      kind: 'open_wallet',
      wallet_url: 'wallet://1',
    });
  });

  it('returns “wait” when there is no link; null and an empty text count as no link', () => {
    assert.deepEqual(read({}), { kind: 'wait' });
    assert.deepEqual(read({ qrcode_string: '', checkout_url: null, wallet_url: '' }), {
      kind: 'wait',
    });
    assert.deepEqual(read({ qrcode_string: '', checkout_url: PAGE, wallet_url: null }), {
      kind: 'open_page',
      checkout_url: PAGE,
    });
  });

  it('takes a code without the marks and line breaks around it, which an app may not know', () => {
    for (const code of ['\ufeff0002', '0002\r\n', ' \u200b0002\0'])
      assert.deepEqual(read({ qrcode_string: code }), { kind: 'scan_qr', qrcode_string: '0002' });
    assert.deepEqual(read({ qrcode_string: '\ufeff\n', checkout_url: null }), { kind: 'wait' });
    const lines = 'BCD\n002\n';
    assert.deepEqual(read({ qrcode_string: `\ufeff${lines}` }), {
      kind: 'scan_qr',
      qrcode_string: lines,
    });
  });

  it('returns “two_links” when there are two links', () => {
    assert.equal(read({ qrcode_string: 'qr', checkout_url: PAGE }), 'two_links');
    assert.equal(read({ checkout_url: PAGE, wallet_url: 'wallet://1' }), 'two_links');
    assert.equal(read({ qrcode_string: 'qr', wallet_url: 'wallet://1' }), 'two_links');
  });

  it('refuses a link that the configuration does not allow', () => {
    assert.equal(read({ checkout_url: 'https://evil.example/' }), 'link_not_allowed');
    assert.equal(read({ wallet_url: 'evil://1' }), 'link_not_allowed');
  });

  it('accepts a link of 8,192 characters, and refuses a longer link', () => {
    const url = (length: number): string => PAGE + 'x'.repeat(length - PAGE.length);
    assert.deepEqual(read({ checkout_url: url(8192) }), {
      kind: 'open_page',
      checkout_url: url(8192),
    });
    assert.equal(read({ checkout_url: url(8193) }), 'link_not_allowed');
    assert.equal(read({ qrcode_string: url(8193) }), 'link_not_allowed');
  });
});

describe('withAllowedLink', () => {
  const links = { hosts: ['pay.example'], schemes: ['wallet'] };
  const shown = (next_action: NextAction): unknown =>
    withAllowedLink({ ...fresh, next_action }, links).next_action;
  const WAIT: NextAction = { kind: 'wait' };

  for (const [what, action, gone] of [
    [
      'a page',
      { kind: 'open_page', checkout_url: PAGE },
      { kind: 'open_page', checkout_url: 'https://old.example/1' },
    ],
    [
      'a wallet',
      { kind: 'open_wallet', wallet_url: 'wallet://1' },
      { kind: 'open_wallet', wallet_url: 'old://1' },
    ],
  ] satisfies [string, NextAction, NextAction][])
    it(`withholds a link to ${what} only when the configuration no longer allows it`, () => {
      assert.equal(shown(action), action);
      assert.deepEqual(shown(gone), WAIT);
    });

  it('leaves an order without a link as it is', () => {
    const code: NextAction = { kind: 'scan_qr', qrcode_string: 'https://old.example/1' };
    for (const action of [code, WAIT]) assert.equal(shown(action), action);
    assert.equal(withAllowedLink(fresh, links), fresh);
  });
});
