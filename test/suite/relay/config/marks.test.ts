/** The marks of channels and assets: each that is named has a file, and each file is named. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { markOf } from '../../../../relay/config/marks.js';

const folder = new URL('../../../../widget/marks/', import.meta.url);
/** One path of one colour. */
const DRAWING =
  /^<svg xmlns="[^"]+" viewBox="-4 -4 32 32"><path fill="#\w{6}" d="[^"<]+" \/><\/svg>\n$/;
const files = readdirSync(folder).filter((name) => name.endsWith('.svg'));
const direct = (payment_channel: string): string | null =>
  markOf({ payment_method: 'direct', payment_channel, pay_currency: 'USDT' });

describe('the mark of an option', () => {
  it('is that of its channel, or of the asset that the customer pays in', () => {
    assert.equal(direct('PIX_dynamic'), 'marks/pix.svg');
    assert.equal(direct('sbp_qr'), null);
    assert.equal(direct('constructor'), null);
    const chain = { payment_method: 'on_chain', payment_channel: 'pix' };
    assert.equal(markOf({ ...chain, pay_currency: 'USDT_TRC20' }), 'marks/usdt.svg');
    assert.equal(markOf(chain), null);
    assert.equal(markOf({ payment_method: 'on_line' }), null);
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
