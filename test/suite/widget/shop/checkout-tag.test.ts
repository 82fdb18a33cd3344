/** The tags that a backend writes into its page. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { BEGIN_HASH, BEGIN_TEXT } from '../../../../relay/contract/begin-text.js';
import { checkoutTag, type CheckoutTag } from '../../../../widget/shop/index.js';

describe('checkoutTag', () => {
  it('writes the script, the element, and the script behind it', () => {
    assert.equal(
      checkoutTag({ relay: 'https://pay.shop.example/', intent: { order_token: 'eyJ' } }),
      '<script src="https://pay.shop.example/pay-checkout.js" defer></script>\n' +
        '<pay-checkout order-token="eyJ"></pay-checkout>\n' +
        `<script>${BEGIN_TEXT}</script>\n`,
    );
  });

  it('writes a nonce into both scripts, and no attribute of an absent field', () => {
    const intent = { sku: 'tee', quantity: 2, customer_ref_id: undefined };
    const tags = checkoutTag({ relay: '/pay', intent, nonce: 'abc' });
    assert.equal(tags.match(/<script[^>]* nonce="abc">/g)?.length, 2);
    assert.match(tags, /<pay-checkout sku="tee" quantity="2"><\/pay-checkout>/);
  });

  it('escapes what an attribute must not contain', () => {
    const product_name = 'a "b" <c> & d';
    const tags = checkoutTag({ relay: '/pay', intent: { product_name } });
    assert.match(tags, / product-name="a &quot;b&quot; &lt;c> &amp; d">/);
  });

  it('refuses a number that is none', () => {
    const tagFor = (quantity: number) => checkoutTag({ relay: '/pay', intent: { quantity } });
    assert.throws(() => tagFor(NaN), /quantity is neither a text nor a number/);
    assert.throws(() => tagFor(Infinity), TypeError);
  });

  it('leaves out a field or a nonce that is null', () => {
    const sale: CheckoutTag = { relay: '/pay', ...JSON.parse('{"nonce":null}'), intent: {} };
    const intent = { sku: 'tee', ...JSON.parse('{"remark":null}') };
    const tags = checkoutTag({ ...sale, intent });
    assert.match(tags, /<pay-checkout sku="tee"><\/pay-checkout>/);
    assert.doesNotMatch(tags, /nonce=/);
  });

  for (const [what, json, message] of [
    ['an unknown field', '{"onclick=\\"alert(1)\\" y":"1"}', /^intent: unknown field onclick=/],
    ['a field of every object', '{"toString":"1"}', /^intent: unknown field toString$/],
    ['the name of an attribute', '{"order-token":"eyJ"}', /^intent: unknown field order-token$/],
    ['a value that is an object', '{"sku":{"id":1}}', /^intent: sku is neither/],
  ] as const)
    it(`refuses ${what}`, () =>
      assert.throws(() => checkoutTag({ relay: '/pay', intent: JSON.parse(json) }), {
        name: 'TypeError',
        message,
      }));

  it('refuses a relay with a query, because the script is below it', () =>
    assert.throws(() => checkoutTag({ relay: '/pay?x=1', intent: { sku: 'tee' } }), {
      name: 'TypeError',
      message: 'relay: /pay?x=1 has a query or a fragment',
    }));
});

describe('the text of the script behind the tag', () => {
  it('has the hash that a policy names', () => {
    const hash = createHash('sha256').update(BEGIN_TEXT).digest('base64');
    assert.equal(BEGIN_HASH, `sha256-${hash}`);
  });

  it('has the hash that a policy of the guide names', () => {
    const guide = new URL('../../../../docs/guides/content-security-policy.md', import.meta.url);
    const scripts = readFileSync(guide, 'utf8').match(/script-src[^;]*sha256-[\w+/]{43}=/g);
    assert.deepEqual(
      scripts?.map((source) => source.slice(-BEGIN_HASH.length)),
      [BEGIN_HASH],
    );
  });

  it('is small, and cannot end its tag', () => {
    const { length } = brotliCompressSync(BEGIN_TEXT);
    assert.ok(length <= 1450, `${length} bytes`);
    assert.doesNotMatch(BEGIN_TEXT, /<\/script|<!--/i);
  });
});
