/** Builds an order as a page and as the shop's backend see it, from the ledger alone. */
import { linkAllowed } from '../config/links.js';
import type { Config } from '../config/schema.js';
import { pickStoredFields, type Order } from '../contract/order.js';
import type { BackendOrder } from '../contract/responses.js';
import { sha256Of } from '../digest.js';
import { paidAt } from '../ledger/history.js';
import { isPayable } from '../ledger/open-orders.js';
import type { OrderInIntent } from '../ledger/intent.js';
import { isPaidLate, newOrderFields, type OrderRow, type Stamp } from '../ledger/rows.js';
import type { Context } from './context.js';
import {
  isReplaced,
  isPaidAfterRefusal,
  paidInReview,
  paidOrder,
  shownOutcome,
} from '../ledger/shown-order.js';
import { withAllowedLink } from './next-action.js';
import { purchase } from '../webhooks/purchase.js';

const instant = (ms: number): string => new Date(ms).toISOString();

/** What a page sees of an order, without the order's key and the time of the answer. */
export type ShownOrder = Omit<Order, 'order_key' | 'server_time' | 'version'> & {
  readonly version: number;
};

type Made = Stamp & Pick<OrderRow, 'expires_at' | 'has_expired'>;

/** The order as a page sees it. */
export const project = (context: Context, found: OrderInIntent): Promise<Order> =>
  withKey(context, show(context.config, found), found.order);

/** @param made the order of the ledger, which says how old it is */
export async function withKey(context: Context, shown: ShownOrder, made: Made): Promise<Order> {
  return {
    order_key: await context.capabilities.mint('order', shown.request_id),
    server_time: serverTime(context, made),
    // last, as in new-order.ts
    ...shown,
  };
}

export function show(
  config: Pick<Config, 'links' | 'statuses'>,
  { intent, order }: OrderInIntent,
): ShownOrder {
  const paid = paidOrder(intent);
  const isPaid = paid !== null && !isPaidAfterRefusal(paid);
  const closed = intent.closed_at !== null;
  const isOther = ({ request_id }: OrderRow): boolean => request_id !== order.request_id;
  // The shop would refund a payment made now, or not deliver for it, so the page does not get the
  // `next_action` to pay with.
  const inReview = paidInReview(config, intent);
  const isStanding = inReview !== null && !isOther(inReview);
  // one that is to be paid back takes the place of the others too, but pays for nothing
  const replaced =
    order.outcome !== 'succeeded' &&
    ((paid !== null && !isPaid) ||
      (inReview === null ? isReplaced(order, intent.orders) : !isStanding));
  const mustNotBePaid =
    replaced || closed || paid !== null || !OUTCOMES_WITH_NEXT_ACTION.includes(order.outcome);
  const shown = mustNotBePaid
    ? { ...order, next_action: null }
    : withAllowedLink(order, config.links);
  const { code_amount, payee } = hasLink(shown) ? order : newOrderFields;
  const fields = {
    closed,
    other_payable: !closed && intent.orders.some((other) => isOther(other) && isPayable(other)),
    created_at: instant(order.created_at),
    // the spread comes last, as in new-order.ts
    ...pickStoredFields(shown),
    late: isPaidLate(order),
    // a person may have called it failed before the service called it paid
    outcome: isStanding ? 'review' : shownOutcome(order),
    ...(replaced && { replaced }),
    ...(isPaid && order.outcome !== 'succeeded' && { paid_by: paid.request_id }),
    ...(payee === null ? {} : { payee }),
    ...(code_amount === null ? {} : { code_amount }),
    ...(codeOpens(shown, config) && { code_opens: true }),
    ...(order.expires_at === null ? {} : { expires_at: instant(order.expires_at) }),
  };
  const paid_at = paidAt(order);
  return {
    checked_at: order.checked_at === null ? null : instant(order.checked_at),
    ...(paid_at === null ? {} : { paid_at: instant(paid_at) }),
    version: versionOf(fields),
    ...fields,
  };
}

/**
 * The first 48 bits of a digest. A count of writes would be equal again after a restore, and would
 * not change with the configuration, which decides what links a page may see.
 */
const versionOf = (fields: object): number =>
  sha256Of(JSON.stringify(fields))
    .subarray(0, 6)
    .reduce((sum, byte) => sum * 256 + byte, 0);

/** The order as the shop's backend sees it: with what was bought and why it is in review. */
export const projectForBackend = async (
  context: Context,
  found: OrderInIntent,
): Promise<BackendOrder> => ({
  ...(await project(context, found)),
  outcome: shownOutcome(found.order),
  ...purchase(found.intent, found.order),
  livemode: context.config.mode === 'live',
});

/**
 * The time that a page compares with `expires_at`: as far after `created_at` as the order is old.
 * An order of unknown age counts as expired, and an expired one stays so.
 */
function serverTime({ ledgerClock }: Pick<Context, 'ledgerClock'>, made: Made): string {
  const { created_at, expires_at, has_expired } = made;
  const ageMs = ledgerClock.ageOf(made);
  const isOver = has_expired || ageMs === null;
  return instant(Math.max(created_at + (ageMs ?? 0), isOver ? (expires_at ?? 0) : 0));
}

/** Whether there is a code or link to pay with. */
const hasLink = ({ next_action }: OrderRow): boolean =>
  next_action !== null && next_action.kind !== 'wait';

/** Whether the code is a link that a page may open. Only the relay knows the allowed hosts. */
const codeOpens = ({ next_action }: OrderRow, { links }: Pick<Config, 'links'>): boolean =>
  next_action?.kind === 'scan_qr' && linkAllowed(next_action.qrcode_string, links);

/**
 * Outcomes whose `next_action` is sent to a page. `expired` is included because the page reads from
 * the action whether a code or a link expired. It shows neither.
 */
const OUTCOMES_WITH_NEXT_ACTION: readonly OrderRow['outcome'][] = [
  'pending',
  'confirming',
  'expired',
];
