/** The URL guard allows configured links, and refuses links that only look like them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkAllowed } from '../../../../relay/config/links.js';

const rules = {
  hosts: ['pay.example', '*.bank.example', 'api.example:8443', 'tls.example:443'],
  schemes: ['sberpay'],
};

describe('linkAllowed', () => {
  for (const link of [
    'https://pay.example/x',
    'https://PAY.example/x',
    'https://a.bank.example/',
    'https://a.b.bank.example/?q=1#f',
    'sberpay://invoice/1',
    'https://pay.example:443/',
    'https://api.example:8443/',
    'https://tls.example/x',
    'https://tls.example:443/x',
    'sberpay://pay?pn=Bean and Leaf',
    'https://pay.example/%E2%80%AE',
    'https://pay.example/ü',
  ])
    it(`allows the link ${link}`, () => assert.equal(linkAllowed(link, rules), true));

  for (const link of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'blob:https://pay.example/1',
    'vbscript:x',
    'file:///etc/passwd',
    'view-source:https://pay.example',
    'http://pay.example/',
    'https://evil.example/',
    'https://pay.example.evil.example/',
    'https://evilbank.example/',
    'https://bank.example/',
    'https://pay.example@evil.example/',
    'https://user:pw@pay.example/',
    'https:\\\\pay.example\\',
    'https:pay.example',
    'https:/pay.example/',
    'https:///pay.example/',
    '//pay.example/x',
    '/pay',
    'https://pay.example\u0000.evil.example',
    'https://pay.example:0/',
    'https://pay.example:80/',
    'https://pay.example:8443/',
    'https://a.bank.example:22/',
    'https://api.example/',
    'https://api.example:8444/',
    'https://tls.example:8443/',
    'https://pay.example/a b',
    ' sberpay://invoice/1',
    ' https://pay.example/',
    'https://pay.example/\u202egpj.exe',
    'https://pay.example/\u2066a',
    'https://pay.example/a\u200bb',
    'https://pay.example/a\u00a0b',
    'https://pay.example/\ud800',
    'sberpay://invoice/\u202e1',
    'ws://pay.example',
    'sberpayx://a',
    'intent://pay#Intent;scheme=javascript;end',
    '',
  ])
    it(`refuses the link ${JSON.stringify(link)}`, () =>
      assert.equal(linkAllowed(link, rules), false));

  it('allows http only on a loopback host that is configured', () => {
    assert.equal(
      linkAllowed('http://localhost:9000/x', { hosts: ['localhost'], schemes: [] }),
      true,
    );
    assert.equal(linkAllowed('http://localhost:9000/x', rules), false);
    assert.equal(linkAllowed('http://127.0.0.1.evil.example/', { schemes: [] }), false);
  });

  it('allows only the port of https when no host is configured', () => {
    assert.equal(linkAllowed('https://any.example/x', { schemes: [] }), true);
    assert.equal(linkAllowed('https://any.example:8443/x', { schemes: [] }), false);
    assert.equal(linkAllowed('http://localhost:9000/x', { schemes: [] }), true);
  });
});
