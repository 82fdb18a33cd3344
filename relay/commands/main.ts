#!/usr/bin/env node
/**
 * `pay-checkout-relay COMMAND` runs the command; flags without a command start the relay. An error
 * is printed as one line. The exit code is 2 for wrong usage, and 1 for any other error.
 */
import { asksFor, UsageError, type Command } from './arguments.js';
import { commands as table } from './command-table.js';
import { version } from './version.js';

const { start, ...others } = table;
// `relay` is an alias of `start`
const commands: Record<string, Command> = { start, relay: start, ...others };

const usage = `usage: pay-checkout-relay ${Object.keys(commands).join(' | ')} [options]
       pay-checkout-relay COMMAND --help
       pay-checkout-relay --version`;

/**
 * Joins the errors of an AggregateError, as of a host with several addresses: it has no message.
 */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own: unknown[] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || own.map(messageOf).join(', ') || error.name;
  return error.cause instanceof Error ? `${message}: ${messageOf(error.cause)}` : message;
}

const given = process.argv.slice(2);
const named = Object.hasOwn(commands, given[0] ?? '') ? given[0] : undefined;
const name = named ?? (given.some((arg) => /^--config(=|$)/.test(arg)) ? 'start' : '');
const args = named === undefined ? given : given.slice(1);
const command = commands[name];
const asked = command ? args : given.slice(0, 1);
if (asksFor(asked, '--help', '-h')) {
  process.stdout.write(`${command?.usage ?? usage}\n`);
} else if (asksFor(asked, '--version')) {
  process.stdout.write(`${version()}\n`);
} else if (command) {
  command.run(args).catch((error: unknown) => {
    process.stderr.write(`pay-checkout-relay ${name}: ${messageOf(error)}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  });
} else {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
