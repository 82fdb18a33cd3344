/**
 * `pay-checkout-relay check`: checks a configuration and everything that it refers to, and prints
 * what to change. It writes nothing, not even into the ledger.
 */
import { readFlags, required, type Command } from './arguments.js';
import { findings } from './check-findings.js';
import type { Finding } from './finding.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay check --config FILE [--offline]
Checks the configuration, the clock, and whether order service, ledger, relay and shop can be
reached. It sends one query about a random request_id, so that a wrong key of the service is seen.
With --offline it checks the configuration only. Ends with 1 when it finds an error.`;

/** @throws UsageError, ConfigError, or Error when there are errors to fix */
async function run(args: string[]): Promise<void> {
  const flags = { config: { type: 'string' }, offline: { type: 'boolean' } } as const;
  const values = readFlags(args, flags, usage);
  const config = await readConfigFile(required(values, 'config', usage));
  const found = await findings(config, { isOffline: values.offline === true });
  process.stdout.write(found.map(asLine).join(''));
  const errors = found.filter(({ level }) => level === 'error').length;
  if (errors > 0) throw new Error(`errors to fix before customers can pay: ${errors}`);
}

export const check: Command = { usage, run };

const asLine = ({ level, path, text }: Finding): string => `${level.padEnd(5)}  ${path}: ${text}\n`;
