/** The marks of channels and assets: each that is named has a file, and each file is named. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { markOf } from '../../../../relay/routes/marks.js';

const folder = new URL('../../../../widget/marks/', import.meta.url);
/** One path of one colour. */
const DRAWING =
  /^<svg xmlns="[^"]+" viewBox="\S+ \S+ (\d+) \1"><path fill="#\w{6}" d="[^"<]+" \/><\/svg>\n$/;
const files = readdirSync(folder).filter((name) => name.endsWith('.svg'));
const direct = (payment_channel: string): string | null =>
  markOf({ payment_method: 'direct', payment_channel, pay_currency: 'USDT' });

/** Relative luminance of WCAG. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

describe('the mark of an option', () => {
  it('is that of its channel, or of the asset that the customer pays in', () => {
    assert.equal(direct('PIX_dynamic'), 'marks/pix.svg');
    assert.equal(direct('sbp_qr'), null);
    for (const channel of [
      'constructor',
      'apple_gift_card',
      'google_play',
      'VISA_MASTERCARD',
      'alipay_grabpay',
    ])
      assert.equal(direct(channel), null, channel);
    for (const channel of ['bnb_qr', 'dot', 'pol', 'sol', 'ton'])
      assert.equal(direct(channel), null);
    const chain = { payment_method: 'on_chain', payment_channel: 'pix' };
    assert.equal(markOf({ ...chain, pay_currency: 'USDT_TRC20' }), 'marks/usdt.svg');
    assert.equal(markOf(chain), null);
    assert.equal(markOf({ ...chain, pay_currency: 'VISA' }), null);
    assert.equal(markOf({ payment_method: 'on_line' }), null);
  });

  it('is found by the other names of a channel and an asset', () => {
    const marks = ['GrabPay', 'wechatpay', 'alipayplus_qr', 'wechat_pay'].map(direct);
    assert.deepEqual(
      marks,
      ['grab', 'wechat', 'alipay', 'wechat'].map((name) => `marks/${name}.svg`),
    );
    const chain = { payment_method: 'on_chain' };
    for (const pay_currency of ['USDTTRC20', 'USDTERC20', 'USDT-BEP20', 'ETH_USDT'])
      assert.equal(markOf({ ...chain, pay_currency }), 'marks/usdt.svg');
    assert.equal(markOf({ ...chain, pay_currency: 'XBT' }), 'marks/btc.svg');
    assert.equal(markOf({ ...chain, pay_currency: 'ETH_USDC' }), 'marks/usdc.svg');
    assert.equal(markOf({ ...chain, pay_currency: 'TRON' }), 'marks/trx.svg');
    assert.equal(markOf({ ...chain, pay_currency: 'MATIC' }), 'marks/pol.svg');
    for (const pay_currency of ['SOLX', 'XMR', 'ETH_DAI'])
      assert.equal(markOf({ ...chain, pay_currency }), null);
    const cards = ['VISA', 'apple_pay', 'Google Pay', 'gpay'].map(direct);
    assert.deepEqual(
      cards,
      ['visa', 'applepay', 'googlepay', 'googlepay'].map((name) => `marks/${name}.svg`),
    );
  });

  it('can be seen on the white ground of the list', () => {
    for (const file of files) {
      const [, colour = ''] =
        /fill="#(\w{6})"/.exec(readFileSync(new URL(file, folder), 'utf8')) ?? [];
      const contrast = 1.05 / (luminance(colour) + 0.05);
      assert.ok(contrast > 2, `${file} ${contrast}`);
    }
  });

  it('has a file of one drawing, which runs and loads nothing', () => {
    assert.ok(files.length > 10);
    for (const file of files) {
      const [name = ''] = file.split('.');
      const isNamed =
        direct(name) ?? markOf({ payment_method: 'on_chain', pay_currency: name.toUpperCase() });
      assert.equal(isNamed, `marks/${file}`);
      const text = readFileSync(new URL(file, folder), 'utf8');
      assert.match(text, DRAWING);
    }
  });
});
