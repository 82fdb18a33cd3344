/**
 * `pay-checkout-relay sign --config FILE [ROWS]`: signs an order token for every row of a CSV or
 * JSON-lines file, or for one order by flags.
 */
import { readFileSync } from 'node:fs';
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';
import { orderTokenRequest } from '../contract/backend-requests.js';
import { firstWrongField } from '../contract/wrong-field.js';
import { signOrderToken } from '../intent/sign-order-token.js';
import { readConfigFile } from '../node/read-config-file.js';
import { decodeUtf8 } from '../utf8.js';
import { readRows, writeCsv, type Row } from './rows.js';
import { readArguments, required, TEXT, UsageError, type Command } from './arguments.js';

const usage = `usage: pay-checkout-relay sign --config FILE invoices.csv
       pay-checkout-relay sign --config FILE invoices.jsonl
       pay-checkout-relay sign --config FILE --amount 19.90 --currency USD --product-name T-shirt
         --customer-ref-id c-42 [--jti ID] [--pay-currency CODE] [--remark TEXT] [--options IDS]
         [--return-url URL] [--expires-in SECONDS]
A file's columns are amount, currency, product_name, customer_ref_id and optionally jti,
pay_currency, remark, options, return_url, expires_in (several options separated by spaces).
The output has the same rows with order_token and expires_at; "-" reads standard input.`;

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
 * @throws UsageError naming the row and the field
 */
async function run(args: string[]): Promise<void> {
  const { file, flags, rows: name } = options(args);
  const config = await readConfigFile(file);
  if (name === undefined) {
    const [signed] = await signAll(config, [flags]);
    process.stdout.write(`${signed?.order_token}\n`);
    return;
  }
  const { format, rows } = readRows(readText(name));
  const signed = await signAll(config, rows);
  process.stdout.write(
    format === 'csv' ? writeCsv(signed) : signed.map((row) => `${JSON.stringify(row)}\n`).join(''),
  );
}

/** @throws UsageError when the rows are not UTF-8, as a spreadsheet may save them */
function readText(name: string): string {
  const bytes = readFileSync(name === '-' ? 0 : name);
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new UsageError(`${name === '-' ? 'standard input' : name}: not UTF-8; save it as UTF-8`);
  }
}

export const sign: Command = { usage, run };

async function signAll(config: Config, rows: readonly Row[]): Promise<Row[]> {
  const seen = new Set<unknown>();
  const signed: Row[] = [];
  for (const [index, row] of rows.entries()) {
    const prefix = rows.length > 1 ? `row ${index + 1}: ` : '';
    const request = orderTokenRequest.safeParse(asRequest(row));
    if (!request.success) {
      const { field, problem } = firstWrongField(request.error);
      throw new UsageError(`${prefix}${field}: ${problem}`);
    }
    const { jti } = request.data;
    if (jti !== undefined && seen.has(jti))
      throw new UsageError(
        `${prefix}jti: ${jti} is already used in an earlier row; sign one token per order`,
      );
    seen.add(jti);
    try {
      const { expiresAt, jti: id, token } = await signOrderToken(config, request.data, Date.now());
      signed.push({
        ...row,
        jti: id,
        order_token: token,
        expires_at: new Date(expiresAt).toISOString(),
      });
    } catch (error) {
      throw error instanceof Failure ? new UsageError(prefix + error.message) : error;
    }
  }
  return signed;
}

/** Converts the texts of a row; an empty cell means that the field is absent. */
function asRequest(row: Row): Record<string, unknown> {
  const present = Object.entries(row).filter(([, value]) => value !== '' && value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => {
      if (name === 'options' && typeof value === 'string') return [name, value.trim().split(/\s+/)];
      if (name === 'expires_in' && typeof value === 'string' && /^\d+$/.test(value))
        return [name, Number(value)];
      return [name, value];
    }),
  );
}

function options(args: string[]): { file: string; rows: string | undefined; flags: Row } {
  const known = { config: TEXT, ...Object.fromEntries(FLAGS.map((name) => [name, TEXT])) };
  const { positionals, values } = readArguments(args, known, usage);
  const flags = Object.fromEntries(
    FLAGS.filter((name) => values[name] !== undefined).map((name) => [
      name.replaceAll('-', '_'),
      values[name],
    ]),
  );
  const file = required(values, 'config', usage);
  if (positionals.length > 1 || (positionals.length === 1) === Object.keys(flags).length > 0)
    throw new UsageError(`give either one file of rows or the fields of one order\n${usage}`);
  return { file, rows: positionals[0], flags };
}
