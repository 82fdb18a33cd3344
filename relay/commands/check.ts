/**
 * `pay-checkout-relay check`: reads a configuration, tries what it names, and says what to do.
 * Nothing is written, also not into the ledger.
 */
import { readArguments, required, UsageError, type Command } from './arguments.js';
import { findings, type Finding } from './check-findings.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay check --config FILE [--offline]
Checks the configuration, the clock, and whether order service, ledger, relay and shop can be
reached. With --offline nothing is called. Ends with 1 when something must be done.`;

/** @throws UsageError, ConfigError */
async function run(args: string[]): Promise<void> {
  const flags = { config: { type: 'string' }, offline: { type: 'boolean' } } as const;
  const { positionals, values } = readArguments(args, flags, usage);
  if (positionals.length > 0)
    throw new UsageError(`${positionals.join(' ')}: expected no more arguments\n${usage}`);
  const config = await readConfigFile(required(values, 'config', usage));
  const found = await findings(config, { isOffline: values.offline === true });
  process.stdout.write(found.map(asLine).join(''));
  const errors = found.filter(({ level }) => level === 'error').length;
  if (errors > 0) throw new Error(`${errors} to do before customers can pay`);
}

export const check: Command = { usage, run };

const asLine = ({ level, path, text }: Finding): string => `${level.padEnd(5)}  ${path}: ${text}\n`;
