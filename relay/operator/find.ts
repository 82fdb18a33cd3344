/** Finds orders by what a customer writes, or by the beginning of it. */
import type { Config } from '../config/schema.js';
import type { Intent } from '../ledger/intent.js';
import { lookupKinds, prefixed, type LookupKind } from '../ledger/operator-ledger.js';
import type { Ledger } from '../ledger/ledger.js';
import { payBackReason, shownOrder, shownOutcome } from '../ledger/shown-order.js';
import type { OrderRow } from '../ledger/rows.js';
import { findPayLink, payLinkOf, type PayLink } from '../pay-links/pay-link.js';
import type { Found, Match } from './shapes.js';
import { instant } from './operator-order.js';

/** A shorter text is looked up only as it is. */
const MIN_PREFIX_CHARACTERS = 6;
const MAX_MATCHES = 50;
/** One more than is shown says that there are more. */
const MAX_READ = MAX_MATCHES + 1;
/** Nothing in the ledger that can be found is longer. */
const MAX_CHARACTERS = 512;

const NO_ORDER = {
  intent_id: null,
  request_id: null,
  order_no: null,
  outcome: null,
  pay_back: null,
} as const;

type Searched = { readonly config: Pick<Config, 'statuses'>; readonly ledger: Ledger };

/**
 * @param text an identifier, an address, or the URL of a pay link or of an order's page
 * @returns the newest first
 */
export async function find({ config, ledger }: Searched, text: string): Promise<Found> {
  const whole = text.trim();
  const link = await linkIn(ledger, whole);
  // a customer whose id has a space at its end is another one than the one without
  const asWritten = text === whole ? [] : [text];
  const named = link ? [identifierOfLink(link)] : [...asWritten, ...identifiersIn(whole)];
  for (const sought of named) {
    const isWhole = link !== null || sought !== sought.trim();
    const matches = await findIdentifier({ config, ledger }, sought, isWhole);
    if (matches.length > 0)
      return { matches: matches.slice(0, MAX_MATCHES), more: matches.length > MAX_MATCHES };
  }
  return { matches: link ? [asUnused(link)] : [], more: false };
}

async function findIdentifier(
  { config, ledger }: Searched,
  sought: string,
  isWhole: boolean,
): Promise<Match[]> {
  // a ledger has no control characters, and PostgreSQL refuses some of them
  if (sought === '' || sought.length > MAX_CHARACTERS || /\p{Cc}|\p{Cs}/u.test(sought)) return [];
  const isPrefix = !isWhole && sought.length >= MIN_PREFIX_CHARACTERS;
  const range = isPrefix ? prefixed(sought) : { from: sought, to: sought };
  const matches: Match[] = [];
  for (const kind of lookupKinds)
    for (const intent of await ledger.search(kind, range, MAX_READ))
      if (!matches.some(({ intent_id }) => intent_id === intent.intent_id))
        matches.push(asMatch(config, intent, { kind, sought }));
  for (const row of await ledger.searchAddresses(range, MAX_READ))
    matches.push({
      kind: 'deposit_address',
      ...NO_ORDER,
      amount: null,
      currency: row.currency,
      customer_ref_id: row.customer_ref_id,
      created_at: instant(row.created_at),
    });
  return matches.sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}

/** The order that the text names, else the one that a page shows. */
function asMatch(
  config: Searched['config'],
  intent: Intent,
  { kind, sought }: { kind: LookupKind; sought: string },
): Match {
  const named = (order: OrderRow): boolean =>
    (kind === 'request_id' && order.request_id.startsWith(sought)) ||
    (kind === 'order_no' && order.order_no?.startsWith(sought) === true);
  const order = intent.orders.find(named) ?? shownOrder(config, intent);
  const { customer_ref_id, intent_id } = intent;
  const { amount, created_at, currency } = order ?? intent;
  return {
    kind,
    intent_id,
    request_id: order?.request_id ?? null,
    order_no: order?.order_no ?? null,
    outcome: order && shownOutcome(order),
    pay_back: order && payBackReason(config, { intent, order }),
    // an intent that was closed before any order has empty texts
    amount: amount || null,
    currency: currency || null,
    customer_ref_id: customer_ref_id || null,
    created_at: instant(created_at),
  };
}

/** More words of a sentence are not looked up. */
const MAX_WORDS = 4;

/**
 * What a text may name, the most exact first: all of it; all of it without the spaces with which a
 * page groups a reference; each word that has a digit. Each as it is written, then in small and in
 * capital letters. A customer may paste the address of a page that shows an order.
 */
function identifiersIn(text: string): string[] {
  const words = text
    .split(/[\s,;:!?()"'“”„«»]+/)
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => word.length >= MIN_PREFIX_CHARACTERS && /\d/.test(word));
  const named = [
    /\/r#([^~]+)~/.exec(text)?.[1] ?? text,
    text.replace(/\s/g, ''),
    ...words.slice(0, MAX_WORDS),
  ];
  return [...new Set(named.flatMap((each) => [each, each.toLowerCase(), each.toUpperCase()]))];
}

/** A customer may paste the address of a pay link. */
async function linkIn(ledger: Ledger, text: string): Promise<PayLink | null> {
  const token = /\/p\/([a-z2-7]+)(?:[/?#]|$)/.exec(text)?.[1] ?? text;
  return (await findPayLink(ledger, token)) ?? (await payLinkOf(ledger, text));
}

/** A link with a single use has one intent, which is named after it or by the shop. */
const identifierOfLink = ({ row: { pay_link_id, uses }, terms: { jti } }: PayLink): string =>
  uses === 1 ? (jti ?? `${pay_link_id}-1`) : pay_link_id;

const asUnused = ({ row, terms: { amount, currency, customer_ref_id } }: PayLink): Match => ({
  kind: 'pay_link_id',
  ...NO_ORDER,
  amount,
  currency,
  customer_ref_id,
  created_at: instant(row.created_at),
});
