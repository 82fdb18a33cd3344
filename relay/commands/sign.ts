/**
 * `pay-checkout-relay sign --config FILE [ROWS]`: signs an order token for every row of a CSV or
 * JSON-lines file, or for one order by flags.
 */
import { readFileSync } from 'node:fs';
import { messageOf } from '../node/message-of.js';
import { readConfigFile } from '../node/read-config-file.js';
import { decodeUtf8 } from '../utf8.js';
import { readRows, writeCsv } from './rows.js';
import { signRows } from './sign-rows.js';
import {
  readArguments,
  required,
  TEXT,
  UsageError,
  type Command,
  type Flags,
} from './arguments.js';

const usage = `usage: pay-checkout-relay sign --config FILE invoices.csv
       pay-checkout-relay sign --config FILE invoices.jsonl
       pay-checkout-relay sign --config FILE --amount 19.90 --currency USD --product-name T-shirt
         --customer-ref-id c-42 [--jti ID] [--pay-currency CODE] [--remark TEXT] [--options IDS]
         [--return-url URL] [--expires-in SECONDS]
A file's columns are amount, currency, product_name, customer_ref_id and optionally jti,
pay_currency, remark, options, return_url, expires_in (several options separated by spaces).
The output has the same rows with jti, order_token and expires_at; "-" reads standard input.
A row without jti is a new purchase at each run: to sign rows again, give it the output.`;

const FLAGS = [
  'amount',
  'currency',
  'product-name',
  'customer-ref-id',
  'jti',
  'pay-currency',
  'remark',
  'options',
  'return-url',
  'expires-in',
] as const;

/**
 * Prints nothing unless every row can be signed.
 *
 * @throws UsageError naming the line and the field
 */
async function run(args: string[]): Promise<void> {
  const known: Flags = { config: TEXT, ...Object.fromEntries(FLAGS.map((name) => [name, TEXT])) };
  const { positionals, values } = readArguments(args, known, usage);
  const file = required(values, 'config', usage);
  const fields = FLAGS.flatMap((flag): [string, unknown][] =>
    values[flag] === undefined ? [] : [[flag.replaceAll('-', '_'), values[flag]]],
  );
  const [name, ...more] = positionals;
  if (more.length > 0 || (name === undefined) === (fields.length === 0))
    throw new UsageError(`give either one file of rows or the fields of one order\n${usage}`);
  const config = await readConfigFile(file);
  if (name === undefined) {
    const row = { line: null, cells: Object.fromEntries(fields) };
    const [signed] = await signRows(config, [row], Date.now(), warn);
    process.stdout.write(`${signed?.order_token}\n`);
    return;
  }
  const { format, rows } = readRows(readText(name));
  const signed = await signRows(config, rows, Date.now(), warn);
  process.stdout.write(
    format === 'csv' ? writeCsv(signed) : signed.map((row) => `${JSON.stringify(row)}\n`).join(''),
  );
}

const warn = (text: string): void => void process.stderr.write(`warning: ${text}\n`);

export const sign: Command = { usage, run };

/** @throws UsageError when the rows are not UTF-8, as a spreadsheet may save them */
function readText(name: string): string {
  const bytes = readFileSync(name === '-' ? 0 : name);
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    throw new UsageError(`${name === '-' ? 'standard input' : name}: ${messageOf(error)}`);
  }
}
