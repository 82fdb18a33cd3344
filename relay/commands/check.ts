/**
 * `pay-checkout-relay check`: checks a configuration and everything that it refers to, and prints
 * what to change. It writes nothing, not even into the ledger.
 */
import { readFile } from 'node:fs/promises';
import { elementScript } from '../node/element-script.js';
import {
  FLAG,
  readFlags,
  readUrl,
  required,
  TEXT,
  UsageError,
  type Command,
  type Values,
} from './arguments.js';
import { findings } from './check-findings.js';
import { pageFindings } from './check-page.js';
import type { Finding } from '../config/findings.js';
import { printable, wrapped } from './table.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay check --config FILE [--offline]
       pay-checkout-relay check --page URL [--config FILE]
Checks the configuration, the clock, and whether order service, ledger, relay and shop can be
reached. It sends one query about a random request_id, so that a wrong key of the service is seen.
With --offline it checks the configuration only. Ends with 1 when it finds an error.
With --page it fetches a page of the shop instead, and compares its script tag, the hash, the served
script and the content security policy with this package; cron can run it.`;

/** @throws UsageError, ConfigError, or Error when there are errors to fix */
async function run(args: string[]): Promise<void> {
  const values = readFlags(args, { config: TEXT, offline: FLAG, page: TEXT }, usage);
  const page = readUrl(values, 'page', usage);
  if (page !== undefined && values.offline)
    throw new UsageError(`--page and --offline exclude each other\n${usage}`);
  const found = page === undefined ? await ofConfig(values) : await ofPage(page, values.config);
  process.stdout.write(found.map(asLine).join(''));
  const errors = found.filter(({ level }) => level === 'error').length;
  if (errors > 0)
    throw new Error(
      page === undefined ? `errors to fix: ${errors}` : `differences from this package: ${errors}`,
    );
}

export const check: Command = { usage, run };

async function ofConfig(values: Values): Promise<Finding[]> {
  const config = await readConfigFile(required(values, 'config', usage));
  return findings(config, { isOffline: values.offline === true });
}

async function ofPage(page: string, file: string | undefined): Promise<Finding[]> {
  const config = file === undefined ? null : await readConfigFile(file);
  const script = await readFile(elementScript());
  return pageFindings({ page, script, publicUrl: config?.public_url, fetch });
}

/** A page may have a line break in an attribute, and so write a line of its own. */
const asLine = ({ level, path, text }: Finding): string =>
  `${wrapped(`${level.padEnd(5)}  ${printable(`${path}: ${text}`)}`, 7)}\n`;
