#!/usr/bin/env node
/**
 * `pay-checkout-relay COMMAND` runs the command; flags without a command start the relay. An error
 * is printed as one line. The exit code is 2 for wrong usage, and 1 for any other error.
 */
import { asksFor, UsageError, type Command } from './arguments.js';
import { commands as table } from './command-table.js';
import { version } from './version.js';
import { messageOf } from '../node/message-of.js';

const { start, ...others } = table;
// `relay` is an alias of `start`
const commands: Record<string, Command> = { start, relay: start, ...others };

const usage = `usage: pay-checkout-relay ${Object.keys(commands).join(' | ')} [options]
       pay-checkout-relay COMMAND --help
       pay-checkout-relay --version`;

const argv = process.argv.slice(2);
const [first = ''] = argv;
const isNamed = first !== '' && !first.startsWith('-');
const startsRelay = !isNamed && argv.some((arg) => /^--config(=|$)/.test(arg));
const name = startsRelay ? 'start' : first;
const args = isNamed ? argv.slice(1) : argv;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const flags = command ? args : argv.slice(0, 1);

function fail(error: unknown): never {
  process.stderr.write(`pay-checkout-relay ${name}: ${messageOf(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}

let closedOutput: NodeJS.ErrnoException | null = null;
const isHelp = asksFor(flags, '--help', '-h');
// the log of a relay has a listener of its own
if (command !== start || isHelp)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      // the system's own words would read as if the disk of the ledger were full
      fail(
        `the answer could not be printed (${error.code}); what was asked for may be done: ` +
          'look before you repeat it',
      );
    closedOutput = error;
    // without its reader nobody would see what it sends to the backend
    if (command === others.listen) process.kill(process.pid, 'SIGTERM');
  });
if (isHelp) {
  process.stdout.write(`${command?.usage ?? usage}\n`);
} else if (asksFor(flags, '--version')) {
  process.stdout.write(`${version()}\n`);
} else if (command) {
  command.run(args).catch((error: unknown) => {
    // The reader of the output, such as `head`, needs no more, so the command ends without a word.
    // A database's connection may fail with the same code.
    if (error !== closedOutput) fail(error);
  });
} else {
  process.stderr.write(`${isNamed ? `${first} is no command\n` : ''}${usage}\n`);
  process.exit(2);
}
