/** Changes of a ledger by the rules that the relay uses, and reads of single orders. */
import { claimsOrder, orderOf, type Intent } from '../../../relay/ledger/intent.js';
import { isWritten, type ChangeAlso, type Ledger } from '../../../relay/ledger/ledger.js';
import type {
  EventPosition,
  IntentRow,
  NewShopEvent,
  OrderRow,
  ResolutionRow,
} from '../../../relay/ledger/rows.js';
import {
  addingLost,
  asNew,
  claiming,
  closing,
  positionIn,
  reclaiming,
  recorded,
  settlingUnpaid,
  withEvents,
  type Claim,
} from '../../../relay/ledger/rules.js';
import type { Asked, UnpaidDecision } from '../../../relay/ledger/shop-ledger.js';

/** A resend that is requested at this moment: no delivery has begun since. */
export const askedAt = (now: number): Asked => ({
  at: now,
  leaseEnd: Number.MAX_SAFE_INTEGER,
  by: null,
});

/** Resends every event of the ledger. */
export const resendAll = async (ledger: Ledger, now: number, asked: Asked): Promise<void> => {
  const { rows } = await ledger.listEvents(null, 1000);
  await ledger.resend(
    rows.map(({ event_id }) => event_id),
    now,
    asked,
  );
};

type Changing = Pick<Ledger, 'change'>;

/** Marks the ledger as restored at this time. */
export const markRestored = (ledger: Pick<Ledger, 'writeSetting'>, at: number): Promise<void> =>
  ledger.writeSetting('restored_at', JSON.stringify({ created_at: at, aged_from: at }));

/** Lets `before` run before each change that lets an order be sent, or before each other change. */
export const beforeChanges = <L extends Pick<Ledger, 'change' | 'intent' | 'setting'>>(
  ledger: L,
  which: 'claims' | 'others',
  before: () => unknown,
): L => ({
  ...ledger,
  change: async (intentId, rule, also) => {
    const intent = await ledger.intent(intentId);
    const changed = rule(intent, (await ledger.setting('epoch')) ?? '');
    const isClaim = changed !== null && claimsOrder(intent, changed.intent);
    if (isClaim === (which === 'claims')) await before();
    return ledger.change(intentId, rule, also);
  },
});
type Finding = Pick<Ledger, 'find'>;
export type EventsFor = (intent: Intent, position: EventPosition) => readonly NewShopEvent[];

/** `order`: the intent's current order after the call. */
type Claimed = {
  claimed: boolean;
  intent: Intent;
  order: OrderRow | null;
  refused?: 'link_closed';
};

export async function claimOrder(
  ledger: Changing,
  { known, payLink, ...claim }: Claim & ChangeAlso,
): Promise<Claimed> {
  const rule = claiming(claim, claim.order.created_at);
  const changed = await ledger.change(claim.intent.intent_id, rule, { known, payLink });
  if (changed.result === 'link_closed')
    return { claimed: false, intent: asNew(claim.intent), order: null, refused: changed.result };
  const intent = changed.intent ?? asNew(claim.intent);
  const order = orderOf(intent, intent.current_request_id ?? '');
  return { claimed: isWritten(changed), intent, order };
}

/** Claims an order again that the caller read as `read`. */
export async function reclaimOrder(
  ledger: Changing,
  read: OrderRow,
  also: ChangeAlso = {},
): Promise<boolean | 'link_closed'> {
  const again: OrderRow = { ...read, sending: 'claimed', version: read.version + 1 };
  const rule = reclaiming(read)(again, read.created_at);
  const changed = await ledger.change(read.intent_id, rule, also);
  return changed.result === 'link_closed' ? changed.result : isWritten(changed);
}

export const addLostOrder = async (
  ledger: Changing,
  order: OrderRow,
  closed?: IntentRow,
): Promise<boolean> => {
  const rule = addingLost(order, order.created_at, closed);
  return isWritten(await ledger.change(order.intent_id, rule));
};

/** Writes an order over the version before it. */
export const replaceOrder = async (
  ledger: Changing,
  order: OrderRow,
  eventsFor: EventsFor = () => [],
  { known, resolution }: { known?: Intent; resolution?: ResolutionRow } = {},
): Promise<boolean> =>
  isWritten(
    await ledger.change(
      order.intent_id,
      (intent, epoch) => {
        if (!intent || orderOf(intent, order.request_id)?.version !== order.version - 1)
          return null;
        const next = recorded(intent, order, { at: order.created_at }, resolution);
        return withEvents(next, eventsFor(next, positionIn(next, epoch)));
      },
      { known },
    ),
  );

export const closeIntent = async (
  ledger: Changing,
  row: IntentRow,
  closed: { at: number; reason: string | null },
): Promise<IntentRow> => (await ledger.change(row.intent_id, closing(row, closed))).intent ?? row;

export const settleUnpaid = (
  ledger: Changing,
  intentId: string,
  now: number,
  decide: (intent: Intent, at: EventPosition) => UnpaidDecision,
): Promise<unknown> => ledger.change(intentId, settlingUnpaid(now, decide));

export const findOrder = async (ledger: Finding, requestId: string): Promise<OrderRow | null> =>
  (await ledger.find(requestId))?.order ?? null;

export const ordersOf = async (
  ledger: Pick<Ledger, 'intent'>,
  intentId: string,
): Promise<OrderRow[]> => [...((await ledger.intent(intentId))?.orders ?? [])];

/** An order with the data of its intent that decides what a page sees. */
export async function orderInIntent(ledger: Finding, requestId: string) {
  const found = await ledger.find(requestId);
  if (!found) return null;
  const { order } = found;
  const { closed_at, orders, paid_request_id } = found.intent;
  const others = orders.filter(({ request_id }) => request_id !== order.request_id);
  return { order, others, closed_at, paid_request_id };
}

/**
 * Takes one step of a purge from its beginning.
 *
 * @returns the number of deleted intents
 */
export const purge = async (ledger: Ledger, before: number, limit: number): Promise<number> =>
  (await ledger.purge(before, limit, null)).deleted;

/** Records for how long the relay postpones the check of an order, in milliseconds. */
export function recordPostponed(ledger: Ledger): readonly number[] {
  const waits: number[] = [];
  const { postpone } = ledger;
  ledger.postpone = async (intent, until, now) => {
    const isPostponed = await postpone(intent, until, now);
    if (isPostponed) waits.push(until - now);
    return isPostponed;
  };
  return waits;
}

/** An order as the caller wrote it: the ledger adds its history. */
export const withoutHistory = (order: OrderRow): OrderRow => ({ ...order, history: [] });

/** Takes one step of a purge of what was never sent, from its beginning. */
export const purgeUnsent = async (ledger: Ledger, before: number, limit: number): Promise<number> =>
  (await ledger.purgeUnsent(before, limit, 0)).deleted;
