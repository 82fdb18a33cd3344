/** `pay-checkout-relay events …`: the events for the shop, and their delivery. */
import type { z } from 'zod';
import { shopEventTypes } from '../contract/shop-events.js';
import { listEvents } from '../operator/events.js';
import { resend, type WhichEvents } from '../operator/resend.js';
import type { eventsShape } from '../operator/shapes.js';
import {
  readBy,
  readLimit,
  readMoment,
  readOneOf,
  readText,
  withActions,
  type Given,
} from './actions.js';
import { FLAG, TEXT, UsageError } from './arguments.js';
import { withStore } from './operator-context.js';
import { footer, mayFollow, moment, print, printable, table } from './table.js';

const usage = `usage: pay-checkout-relay events list --config FILE [--since TIME] [--undelivered]
         [--type TYPE] [--limit N] [--cursor TEXT]
       pay-checkout-relay events resend EVENT_ID | [--since TIME] [--undelivered]
         --config FILE --by NAME
The relays deliver a repeated event with the same id and body. --since alone repeats what the shop
has received too; with --undelivered it repeats only what the shop lacks.`;

async function runList(given: Given): Promise<void> {
  const filter = {
    since: readMoment(given, 'since'),
    type: readOneOf(given, 'type', shopEventTypes),
    undelivered: given.values.undelivered === true,
  };
  const page = { limit: readLimit(given), cursor: readText(given, 'cursor', 500) };
  const found = await withStore(given.config, 'reads', ({ ledger }) =>
    listEvents(ledger, filter, page),
  );
  print(given.isJson, found, listedText);
}

function whichOf(given: Given): WhichEvents {
  const since = readMoment(given, 'since');
  const isUndelivered = given.values.undelivered === true;
  const isSpan = since !== undefined || isUndelivered;
  if (isSpan === (given.id !== '')) throw new UsageError(usage);
  if (!isSpan) return { event_id: given.id };
  return { since: since ?? 0, ...(isUndelivered && { undelivered: true }) };
}

async function runResend(given: Given): Promise<void> {
  const which = whichOf(given);
  const by = readBy(given);
  const { resent } = await withStore(given.config, 'writes', (context) =>
    resend(context, which, by, (count) => given.progress.set(`${count} events`)),
  );
  print(given.isJson, { resent }, () => `${resent} will be delivered again\n`);
}

export const events = withActions(usage, {
  list: {
    takes: 'none',
    flags: { since: TEXT, undelivered: FLAG, type: TEXT, limit: TEXT, cursor: TEXT },
    run: runList,
  },
  resend: { takes: 'maybe', flags: { since: TEXT, undelivered: FLAG, by: TEXT }, run: runResend },
});

function listedText({ cursor, events: found }: z.infer<typeof eventsShape>): string {
  if (found.length === 0) return `no such event\n${mayFollow(cursor)}`;
  const rows = found.map((event) => [
    moment(event.created_at),
    event.type,
    event.intent_id,
    deliveryOf(event),
  ]);
  const [head = '', ...lines] = table([['time', 'type', 'intent', 'delivery'], ...rows])
    .trimEnd()
    .split('\n');
  // whole on a line of its own, because `events resend` takes it
  const listed = lines.flatMap((line, at) => [line, `  ${printable(found[at]?.id ?? '')}`]);
  return `${[head, ...listed].join('\n')}\n${footer(cursor)}`;
}

type Listed = z.infer<typeof eventsShape>['events'][number];

function deliveryOf(event: Listed): string {
  const { delivered_at, resent_at } = event;
  if (delivered_at === null) return waitOf(event);
  if (resent_at === null || resent_at <= delivered_at) return `delivered ${moment(delivered_at)}`;
  // a line has no room for the time too
  return `delivered; sent again: ${waitOf(event)}`;
}

function waitOf({ last_failure, next_try_at, tries }: Listed): string {
  if (next_try_at === null) return tries > 0 ? `given up: ${last_failure}` : 'no receiver';
  return tries > 0 ? `${last_failure}, ${tries} ${tries === 1 ? 'try' : 'tries'}` : 'waits';
}
