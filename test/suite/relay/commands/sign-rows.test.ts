/** What `sign` makes of a file of rows, and what it refuses. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../../../relay/commands/arguments.js';
import { readRows } from '../../../../relay/commands/rows.js';
import { signRows } from '../../../../relay/commands/sign-rows.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { Failure } from '../../../../relay/contract/failure.js';
import { decodeUtf8 } from '../../../../relay/utf8.js';
import { readSecret, testConfig } from '../../support/world.js';

const config = parseConfig(testConfig, readSecret);
const signed = (text: string, now = Date.now()) => signRows(config, readRows(text).rows, now);

const row = { amount: '1', currency: 'USD', product_name: 'A', customer_ref_id: 'c' };

describe('sign', () => {
  it('calls a key that the configuration lacks no wrong usage, which ends with 2', async () => {
    const { order_token_keys: _, ...others } = testConfig;
    const keyless = parseConfig(others, readSecret);
    const rows = [{ line: 2, cells: row }];
    const error: unknown = await signRows(keyless, rows, 0).catch((thrown: unknown) => thrown);
    assert.ok(!(error instanceof UsageError) && error instanceof Failure, String(error));
    assert.equal(error.message, 'order_token_keys holds no HS256 key to sign with');
  });

  for (const [what, rows, expected] of [
    [
      'a wrong amount',
      'amount,currency,product_name,customer_ref_id\n1,USD,A,c\n1e3,USD,A,c\n',
      /^line 3: amount: a decimal string/,
    ],
    [
      'a jti twice',
      'jti,amount,currency,product_name,customer_ref_id\n' +
        'invoice-1,1,USD,A,c\n' +
        'invoice-1,1,USD,A,c\n',
      /^line 3: jti: invoice-1 is in line 2 too/,
    ],
    [
      'a return_url that the configuration refuses',
      'amount,currency,product_name,customer_ref_id,return_url\n' +
        '1,USD,A,c,https://shop.example/\n' +
        '1,USD,A,c,https://evil.example/\n',
      /^line 3: the host and port of return_url/,
    ],
    [
      'semicolons between its columns',
      'jti;amount;currency\nb-1;5;USD\n',
      /the columns are separated by semicolons: expected commas/,
    ],
    [
      'a column twice',
      'amount,currency,product_name,customer_ref_id, amount\n1,USD,A,c,2\n',
      /column amount: stands in the file twice/,
    ],
    ['an unknown column', 'amount,currency,product,customer_ref_id\n1,USD,A,c\n', /product/],
    [
      'a row that is too short',
      'amount,currency,product_name,customer_ref_id\n1,USD,A\n',
      /^line 2: 3 cells, but 4 columns/,
    ],
    [
      'a quote that is not closed',
      'amount,currency,product_name,customer_ref_id\n1,USD,"A,c\n',
      /^line 2: Quoted field unterminated/,
    ],
    ['a line that is not JSON', '{"amount": "1"}\n{', /^line 2: expected one JSON object/],
    [
      'a wrong amount below empty lines',
      'amount,currency,product_name,customer_ref_id\r\n\r\n1,USD,A,c\r\n\r\n1e3,USD,A,c\r\n',
      /^line 5: amount/,
    ],
    [
      'a wrong amount below a cell of two lines',
      'amount,currency,product_name,customer_ref_id\n1,USD,"A\nB",c\n1e3,USD,A,c\n',
      /^line 4: amount/,
    ],
    ['a short row below an empty line', 'amount,currency\n\n1\n', /^line 3: 1 cells/],
    ['an open quote below an empty line', 'amount\n\n"1\n', /^line 3: Quoted field unterminated/],
    [
      'a wrong object below empty lines',
      `${JSON.stringify(row)}\n\n\n${JSON.stringify({ ...row, amount: '1e3' })}\n`,
      /^line 4: amount/,
    ],
    [
      'a JSON array',
      `\n[${JSON.stringify(row)}]`,
      /^a JSON array: expected one JSON object on each/,
    ],
  ] as const)
    it(`signs nothing when a batch has ${what}`, async () => {
      await assert.rejects(async () => signed(rows), { name: 'UsageError', message: expected });
    });

  it('lets all tokens of a file end at once', async () => {
    const text = `${JSON.stringify({ ...row, expires_in: 60 })}\n`;
    const [first, second] = await signed(`${text}\n${text}`, Date.UTC(2026, 0, 1));
    assert.deepEqual(
      [first?.expires_at, second?.expires_at],
      ['2026-01-01T00:01:00.000Z', '2026-01-01T00:01:00.000Z'],
    );
    assert.notEqual(first?.jti, second?.jti);
  });

  it('warns of a row that no option takes, and signs it', async () => {
    const limited = parseConfig(
      {
        ...testConfig,
        options: [
          { id: 'card', label: 'Card', payment_method: 'on_line', currencies: ['USD'] },
          { id: 'wire', label: 'Wire', payment_method: 'on_line' },
        ],
      },
      readSecret,
    );
    const warnings: string[] = [];
    const cells = { ...row, currency: 'EUR' };
    const rows = [
      { line: 2, cells: row },
      { line: 3, cells },
      { line: 4, cells: { ...cells, options: 'card' } },
    ];
    const tokens = await signRows(limited, rows, 0, (text) => warnings.push(text));
    assert.equal(tokens.length, 3);
    assert.deepEqual(warnings, ['line 4: no option takes 1 EUR: card takes only USD']);
  });

  it('signs its output again, by the same jti', async () => {
    const [first] = await signed(JSON.stringify(row));
    assert.ok(first);
    const [again] = await signed(JSON.stringify(first), Date.now() + 1000);
    assert.equal(again?.jti, first.jti);
    assert.notEqual(again?.order_token, first.order_token);
  });

  it('reads the first column of a file with a byte order mark', async () => {
    const [first] = readRows(decodeUtf8(Buffer.from('\uFEFFamount\n1\n'))).rows;
    assert.deepEqual(first, { line: 2, cells: { amount: '1' } });
  });
});
