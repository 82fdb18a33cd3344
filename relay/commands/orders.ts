/** `pay-checkout-relay orders …`: finds, lists, shows, checks, resolves and exports orders. */
import { outcomes } from '../contract/outcomes.js';
import { reviewReasons } from '../contract/review-reasons.js';
import { resolutions } from '../ledger/rows.js';
import { check } from '../operator/check.js';
import { find } from '../operator/find.js';
import { list } from '../operator/list.js';
import { resolve } from '../operator/resolve.js';
import { show } from '../operator/show.js';
import type { StoreContext } from '../orders/order-store.js';
import {
  readBy,
  readLimit,
  readOneOf,
  readSentence,
  readSpan,
  readText,
  withActions,
  type Action,
  type Given,
} from './actions.js';
import { FLAG, required, TEXT, UsageError } from './arguments.js';
import { exportOrders } from './orders-export.js';
import { checkedText, foundText, listedText, resolvedText, shownText } from './orders-text.js';
import { closeDeps, withService, withStore } from './operator-context.js';
import { print } from './table.js';

const usage = `usage: pay-checkout-relay orders find TEXT --config FILE
       pay-checkout-relay orders list --config FILE [--since TIME] [--until TIME]
         [--outcome OUTCOME] [--option ID] [--currency CODE] [--reason REASON] [--undelivered]
         [--hanging] [--pay-back] [--limit N] [--cursor TEXT]
       pay-checkout-relay orders show ID --config FILE
       pay-checkout-relay orders check ID --config FILE
       pay-checkout-relay orders resolve ID --config FILE --as succeeded|failed --by NAME
         --note TEXT [--status N]
       pay-checkout-relay orders export --config FILE --from TIME --to TIME [--format csv|jsonl]
find takes any identifier or its first six characters, a deposit address, or the URL of a pay link.
ID: a request_id, an intent_id or an order_no. TIME: a date such as 2026-11-27, which is a whole
day of this machine's time zone, or 2026-11-27T09:30+03:00.
check ends with 1 when the service gives no usable answer.
resolve --status N refuses when the service has named another status since you looked.
--hanging lists orders that are pending or confirming and had no news for an hour.
--pay-back lists payments that must be given back, as long as the service calls them paid. The relay
does not learn that one was given back: keep a record of your own.
Only an order in review or an unmapped one can be resolved. The decision is final; NAME and TEXT
are kept.`;

async function runList(given: Given): Promise<void> {
  const filter = {
    ...readSpan(given, 'since', 'until'),
    outcome: readOneOf(given, 'outcome', outcomes),
    option: readText(given, 'option', 64),
    currency: readText(given, 'currency', 24),
    reason: readOneOf(given, 'reason', reviewReasons),
    undelivered: given.values.undelivered === true,
    hanging: given.values.hanging === true,
    pay_back: given.values['pay-back'] === true,
  };
  const page = { limit: readLimit(given), cursor: readText(given, 'cursor', 500) };
  const found = await withStore(given.config, 'reads', (context) => {
    noteUnknownOption(context, filter.option);
    return list(context, filter, page);
  });
  print(given.isJson, found, listedText);
}

/** No refusal: orders of an option that was removed from the configuration stay in the ledger. */
function noteUnknownOption({ config }: StoreContext, option: string | undefined): void {
  const ids = config.options.map(({ id }) => id);
  if (option === undefined || ids.includes(option)) return;
  process.stderr.write(`--option: ${option} is not configured; there are ${ids.join(', ')}\n`);
}

async function runResolve(given: Given): Promise<void> {
  const as = readOneOf(given, 'as', resolutions);
  const note = readSentence(given, 'note');
  if (as === undefined || note === undefined)
    throw new UsageError(`--as and --note are required\n${usage}`);
  const text = readText(given, 'status', 10);
  if (text !== undefined && !/^-?\d+$/.test(text))
    throw new UsageError(`--status: ${text}; expected a number`);
  const status = text === undefined ? undefined : Number(text);
  const decision = { id: given.id, as, by: readBy(given), note, status };
  const resolved = await withStore(given.config, 'events', (context) => resolve(context, decision));
  print(given.isJson, resolved, resolvedText);
}

/** An action that reads the ledger alone. */
const reading = <T>(
  read: (context: StoreContext, id: string) => Promise<T>,
  asText: (answer: T) => string,
): Action => ({
  takes: 'one',
  run: async ({ config, id, isJson }) =>
    print(isJson, await withStore(config, 'reads', (context) => read(context, id)), asText),
});

export const orders = withActions(usage, {
  find: reading(find, foundText),
  list: {
    takes: 'none',
    flags: {
      since: TEXT,
      until: TEXT,
      outcome: TEXT,
      option: TEXT,
      currency: TEXT,
      reason: TEXT,
      undelivered: FLAG,
      hanging: FLAG,
      'pay-back': FLAG,
      limit: TEXT,
      cursor: TEXT,
    },
    run: runList,
  },
  show: reading(show, shownText),
  check: {
    takes: 'one',
    run: async ({ config, id, isJson }) => {
      const checked = await withService(config, 'events', (context) =>
        check({ ...context, restored: closeDeps(context).restored }, id),
      );
      print(isJson, checked, checkedText);
      const answers = [checked, ...checked.others].map(({ answer }) => answer);
      if (answers.includes('no_answer')) throw new Error('the service gave no usable answer');
    },
  },
  resolve: {
    takes: 'one',
    flags: { as: TEXT, by: TEXT, note: TEXT, status: TEXT },
    run: runResolve,
  },
  export: {
    takes: 'none',
    flags: { from: TEXT, to: TEXT, format: TEXT },
    run: async (given) => {
      required(given.values, 'from', usage);
      required(given.values, 'to', usage);
      const { since = 0, until = 0 } = readSpan(given, 'from', 'to');
      const format = readOneOf(given, 'format', ['csv', 'jsonl']) ?? 'csv';
      await withStore(given.config, 'reads', (context) =>
        exportOrders(context, { since, until }, given.isJson ? 'jsonl' : format, given.progress),
      );
    },
  },
});
