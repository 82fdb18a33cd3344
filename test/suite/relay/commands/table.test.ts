/** Tables, wrapped sentences and the progress of a command at a terminal. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startProgress } from '../../../../relay/commands/actions.js';
import { footer, mayFollow, table, wrapped } from '../../../../relay/commands/table.js';

const ID = 'shop-2026-11-28-customer-order-number-of-the-shop-10042';
const LONG = 'a sentence '.repeat(20).trim();

describe('a table', () => {
  it('repeats a text below its row when it is needed whole and was cut', () => {
    const printed = table(
      [
        ['id', 'other'],
        [ID, 'x'.repeat(90)],
      ],
      { whole: [0] },
    );
    const [, row = '', below] = printed.split('\n');
    assert.match(row, /^shop-.*…/);
    assert.equal(below, `  ${ID}`);
    assert.deepEqual(table([['id'], [ID]], { whole: [0] }).split('\n'), ['id', ID, '']);
  });

  it('cuts what stands below again before any other text, and never a time', () => {
    const time = '2026-12-01 11:22:33';
    const row = [ID, 'failed resolved_as_failed', time, '12.50 USD', time];
    const printed = table([['order', 'outcome', 'asked', 'amount', 'next'], row], {
      whole: [0, 1],
    });
    const [, cut = '', below] = printed.split('\n');
    assert.ok(
      cut.includes('…  failed resolved_as_failed  2026-12-01 11:22:33  12.50 USD  2026'),
      cut,
    );
    assert.deepEqual([cut.length, below], [100, `  ${ID}`]);
    const times = table([Array.from({ length: 6 }, () => time)]);
    assert.equal(times.includes('…'), false);
  });

  it('has its cursor on a line of its own when both do not fit', () => {
    const cursor = 'x'.repeat(95);
    assert.ok(footer(cursor).startsWith(`more: --cursor\n  ${cursor}\n`));
    assert.equal(mayFollow('x'), 'more may follow: --cursor x\n');
  });
});

describe('a wrapped text', () => {
  it('has the same words in lines of at most 100 columns', () => {
    const lines = wrapped(`ok     path: ${LONG}`, 7).split('\n');
    assert.ok(lines.length > 2 && lines.every((line) => line.length <= 100));
    assert.ok(lines.slice(1).every((line) => /^ {7}\S/.test(line)));
    assert.equal(lines.map((line) => line.trim()).join(' '), `ok     path: ${LONG}`);
  });
});

describe('the progress', () => {
  it('is shown on a terminal after two seconds, and taken away at the end', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const written: string[] = [];
    const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
    const progress = startProgress({ isTTY: true, write });
    t.mock.timers.tick(1999);
    assert.deepEqual(written, []);
    t.mock.timers.tick(1);
    assert.deepEqual(written, ['\rstill working…']);
    progress.set('2000 orders');
    t.mock.timers.tick(2000);
    assert.equal(written[1], '\r2000 orders   ');
    progress.end();
    t.mock.timers.tick(9000);
    assert.deepEqual(written.slice(2), [`\r${' '.repeat(14)}\r`]);
    startProgress({ isTTY: false, write });
    t.mock.timers.tick(9000);
    assert.equal(written.length, 3);
  });
});
