#!/usr/bin/env node
/**
 * `pay-checkout COMMAND`: runs the command, and prints any error as one line. The exit code is 2
 * for wrong usage, else 1.
 */
import { ledgerCommand } from './ledger.js';
import { ordersCommand } from './orders.js';
import { relayCommand } from './relay.js';
import { signCommand } from './sign.js';
import { UsageError } from './arguments.js';

const commands: Record<string, (args: string[]) => Promise<void>> = {
  relay: relayCommand,
  // another name of the same command
  start: relayCommand,
  orders: ordersCommand,
  ledger: ledgerCommand,
  sign: signCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) {
  process.stderr.write(`usage: pay-checkout ${Object.keys(commands).join(' | ')} [options]\n`);
  process.exit(2);
}
command(args).catch((error: unknown) => {
  const cause =
    error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  process.stderr.write(
    `pay-checkout ${name}: ${error instanceof Error ? error.message : String(error)}${cause}\n`,
  );
  process.exit(error instanceof UsageError ? 2 : 1);
});
