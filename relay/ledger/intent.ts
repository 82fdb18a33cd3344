/** An intent with its orders: the unit of every rule, and of storage. */
import { becameAt } from './history.js';
import { holdsUse, isPayable } from './open-orders.js';
import { linkOfIntent, type PayLinkClaim, type PayLinkRow } from './pay-link-ledger.js';
import type { IntentRow, NewShopEvent, OpenOutcome, OrderRow, ResolutionRow } from './rows.js';

export type Intent = IntentRow & {
  /** The first one first. */
  readonly orders: readonly OrderRow[];
  readonly resolutions: readonly ResolutionRow[];
  /** Rises with each write of the intent; absent until it is stored. */
  readonly version?: number;
};

/**
 * The version of the next write. The first one is the time at which the intent was created: an
 * intent that was purged and placed anew must not have a version that a caller knows from before,
 * who would write over it without reading it.
 */
export const nextVersion = (before: Intent | null, { created_at }: IntentRow): number =>
  (before?.version ?? created_at) + 1;

export type OrderInIntent = { readonly intent: Intent; readonly order: OrderRow };

/** The intent as it becomes, and what is written with it. */
export type IntentChange = { readonly intent: Intent; readonly events?: readonly NewShopEvent[] };

/**
 * A change of an intent, pure: a ledger may call it several times for one change.
 *
 * @param intent as it is stored; null when the ledger does not have it
 * @param epoch of the ledger, for events
 * @returns null when nothing is to be written
 */
export type Rule = (intent: Intent | null, epoch: string) => IntentChange | null;

/** The outcome that most needs a person comes first. */
const MOST_URGENT: readonly OpenOutcome[] = ['review', 'unmapped', 'confirming', 'pending'];

export const orderOf = (intent: Intent | null, requestId: string): OrderRow | null =>
  intent?.orders.find(({ request_id }) => request_id === requestId) ?? null;

export const orderInIntent = (intent: Intent | null, requestId: string): OrderInIntent | null => {
  const order = orderOf(intent, requestId);
  return intent && order && { intent, order };
};

/** Whether a change lets an order be sent. */
export const claimsOrder = (before: Intent | null, { orders }: Intent): boolean =>
  orders.some(
    ({ request_id, sending }) =>
      sending === 'claimed' && orderOf(before, request_id)?.sending !== 'claimed',
  );

/** What an order waits for. What contradicts a payment or a decision later is a review too. */
export const waitsAs = ({
  outcome,
  review_reason,
}: Pick<OrderRow, 'outcome' | 'review_reason'>): OrderRow['outcome'] =>
  review_reason === null ? outcome : 'review';

/**
 * Whether somebody waits for the order: a person who must look at it, or a customer whose intent is
 * neither paid nor closed, while the relay still asks.
 */
export const waits = (
  { closed_at, paid_request_id }: IntentRow,
  order: Pick<OrderRow, 'next_check_at' | 'outcome' | 'review_reason' | 'sending'>,
): boolean => {
  const outcome = waitsAs(order);
  if (outcome === 'review') return true;
  if (!isPayable(order)) return false;
  if (outcome === 'unmapped') return true;
  return paid_request_id === null && closed_at === null && order.next_check_at !== null;
};

/**
 * What an intent waits for: `unsent` when nothing of it was ever sent, else the outcome of the
 * orders that are waited for and most need a person. `idle`: nobody knows how its orders ended, and
 * nobody waits for them. Null when they have ended.
 */
export type OpenAs = OpenOutcome | 'unsent' | 'idle';
export const openAs = (intent: Intent): OpenAs | null => {
  if (isUnsent(intent)) return 'unsent';
  const { orders } = intent;
  const waiting = orders.filter((order) => waits(intent, order));
  const outcome = MOST_URGENT.find((each) => waiting.some((order) => waitsAs(order) === each));
  return outcome ?? (orders.some(isPayable) ? 'idle' : null);
};

/** Since when the intent has been waiting for that. */
export const openSince = (intent: Intent): number => {
  const open = openAs(intent);
  const times = intent.orders.flatMap((order) => {
    const isOf =
      open === 'idle' ? isPayable(order) : waitsAs(order) === open && waits(intent, order);
    return isOf ? [becameAt(order)] : [];
  });
  return times.length === 0 ? intent.created_at : Math.min(...times);
};

/** Whether the intent is open and none of its orders was ever sent, so that none can be paid. */
const isUnsent = ({ closed_at, orders }: Intent): boolean =>
  closed_at === null && orders.every(({ sending }) => sending === 'unsent');

/** Further texts that find an intent, each with its kind. An erased one has no customer. */
export const lookupsOf = (intent: Intent): [string, string][] => {
  const { customer_ref_id, erased_at, intent_id, orders } = intent;
  const link = linkOfIntent(intent_id);
  const numbers = orders.flatMap(({ order_no }) => order_no ?? []);
  return [
    ...(erased_at === null
      ? [['customer_ref_id', customer_ref_id] satisfies [string, string]]
      : []),
    ...(link === null ? [] : [['pay_link_id', link] satisfies [string, string]]),
    ...numbers.map((order_no): [string, string] => ['order_no', order_no]),
  ];
};

/** The lookups that a change adds. */
export const newLookups = (before: Intent | null, after: Intent): [string, string][] => {
  const known = new Set(before && lookupsOf(before).map(String));
  return lookupsOf(after).filter((lookup) => !known.has(String(lookup)));
};

/** When the first of the intent's orders is due for a check; null when none follows. */
export const dueAt = ({ orders }: Intent): number | null =>
  orders.reduce<number | null>(
    (first, { next_check_at: at }) => (at === null ? first : Math.min(at, first ?? at)),
    null,
  );

/** Whether the relay follows no order of the intent any more, and no person must look at one. */
export const isOver = (intent: Intent): boolean =>
  intent.orders.every((order) => order.next_check_at === null && !waits(intent, order));

/**
 * Whether an intent that was created before `before` may be deleted. Its orders may be younger: the
 * shop signs the same `jti` again, or the customer chooses another way to pay.
 */
export const isPurged = (intent: Intent, before: number): boolean =>
  isOver(intent) && intent.orders.every(({ created_at }) => created_at < before);

/** Whether the intent holds one of several uses of its pay link. */
const holdsLink = (intent: Intent | null): boolean =>
  intent !== null && linkOfIntent(intent.intent_id) !== null && intent.orders.some(holdsUse);

/** Whether a change may claim an order by its link; one without a link may always. */
export const mayClaim = (
  claim: PayLinkClaim | undefined,
  link: PayLinkRow | null,
  before: Intent | null,
): boolean => {
  if (!claim) return true;
  if (!link || link.revoked_at !== null) return false;
  const { expires_at, used, uses } = link;
  return uses === 1 || holdsLink(before) || (expires_at > claim.now && used < uses);
};

/** How many uses of its pay link a change takes: 1, 0, or -1 when it gives its use back. */
export const usesTaken = (before: Intent | null, after: Intent): number =>
  Number(holdsLink(after)) - Number(holdsLink(before));

/**
 * The intent as a relay sees it while another one has leased it: the orders that were due at the
 * lease are not due before its end. A lease writes only columns, so that a poll makes no pay lose
 * its claim.
 *
 * @param until the end of the lease
 * @param leasedAt null when nobody has leased the intent since it was written
 */
export function asLeased(intent: Intent, until: number | null, leasedAt: number | null): Intent {
  if (until === null || leasedAt === null) return intent;
  const orders = intent.orders.map((order) => {
    const { next_check_at: at } = order;
    if (at === null || at > leasedAt) return order;
    return { ...order, next_check_at: Math.max(at, until) };
  });
  return { ...intent, orders };
}
