/** `pay-checkout-relay todo`: what waits for a person, as the console's page To do has it. */
import type { z } from 'zod';
import type { todoShape } from '../operator/shapes.js';
import { todo as waiting } from '../operator/todo.js';
import { FLAG, readFlags, required, TEXT, type Command } from './arguments.js';
import { withStore } from './operator-context.js';
import { footer, moment, print, printable, wrapped } from './table.js';

const usage = `usage: pay-checkout-relay todo --config FILE
Lists the orders and events that wait for a person, the oldest first, each with what to do.
With --json a script can read the answer.`;

async function run(args: string[]): Promise<void> {
  const values = readFlags(args, { config: TEXT, json: FLAG }, usage);
  const found = await withStore(
    required(values, 'config', usage),
    'reads',
    ({ config, ledger, ledgerClock }) =>
      waiting(ledger, ledgerClock.now(), Boolean(config.shop_events)),
  );
  print(values.json === true, found, asText);
}

export const todo: Command = { usage, run };

type Answer = z.infer<typeof todoShape>;

function asText({ items, more }: Answer): string {
  if (items.length === 0) return 'nothing waits for a person\n';
  const rest = more ? 'There are more; of those that were read, these are the oldest.\n' : '';
  return `${items.map(itemText).join('\n')}\n${rest}${footer()}`;
}

/** The id stands on a line of its own, because the next command takes it. */
const itemText = (item: Answer['items'][number]): string =>
  [
    `${moment(item.since)}  ${item.kind}  ${item.amount} ${item.currency}  ${item.reason ?? ''}`,
    `  ${item.request_id ?? item.intent_id}`,
    `  ${item.what_to_do}`,
  ]
    .map((line) => `${wrapped(printable(line.trimEnd()), 2)}\n`)
    .join('');
