/** The tags that a backend writes into its page. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { BEGIN_HASH, BEGIN_TEXT } from '../../../../relay/contract/begin-text.js';
import { checkoutTag } from '../../../../widget/shop/index.js';

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
});

describe('the text of the script behind the tag', () => {
  it('has the hash that a policy names', () => {
    const hash = createHash('sha256').update(BEGIN_TEXT).digest('base64');
    assert.equal(BEGIN_HASH, `sha256-${hash}`);
  });

  it('is small, and cannot end its tag', () => {
    const { length } = brotliCompressSync(BEGIN_TEXT);
    assert.ok(length <= 1300, `${length} bytes`);
    assert.doesNotMatch(BEGIN_TEXT, /<\/script|<!--/i);
  });
});
