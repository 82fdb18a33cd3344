#!/usr/bin/env node
/**
 * `pay-checkout COMMAND`: runs the command, and prints any error as one line. The exit code is 2
 * for wrong usage, else 1.
 */
import { asksFor, UsageError, type Command } from './arguments.js';
import { ledger } from './ledger.js';
import { orders } from './orders.js';
import { relay } from './relay.js';
import { sign } from './sign.js';
import { version } from './version.js';

// `start` is another name of the same command
const commands: Record<string, Command> = { relay, start: relay, orders, ledger, sign };

const usage = `usage: pay-checkout ${Object.keys(commands).join(' | ')} [options]
       pay-checkout COMMAND --help
       pay-checkout --version`;

/** An error of several addresses of one host has no message of its own. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own: unknown[] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || own.map(messageOf).join(', ') || error.name;
  return error.cause instanceof Error ? `${message}: ${messageOf(error.cause)}` : message;
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const asked = command ? args : [name];
if (asksFor(asked, '--help', '-h')) {
  process.stdout.write(`${command?.usage ?? usage}\n`);
} else if (asksFor(asked, '--version')) {
  process.stdout.write(`${version()}\n`);
} else if (command) {
  command.run(args).catch((error: unknown) => {
    process.stderr.write(`pay-checkout ${name}: ${messageOf(error)}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  });
} else {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
