/**
 * Places an order: one intent has one current order, and the relay sends one pay request for it to
 * the service. Only a lost request is sent again.
 *
 * The ledger decides what is done (decide.ts). The claim and the pay are one step (send-pay.ts).
 * Calls of this process for one intent share the first call's result. When two relays place the
 * same intent, one of them wins the claim, and the other shows the winner's order.
 */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { PayRequest } from '../contract/requests.js';
import { contentDigest } from '../intent/order-intent.js';
import type { Claim } from '../ledger/ledger.js';
import type { PayLinkClaim } from '../ledger/pay-link-ledger.js';
import type { Intent } from '../ledger/intent.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { OrderServiceError } from '../order-service/errors.js';
import { payAndCarryOut } from './carry-out.js';
import { checkAmount, type Amount } from './check-amount.js';
import { checkClaim } from './check-claim.js';
import { checkReplaces } from './check-replaces.js';
import type { Context } from './context.js';
import { checkContent, conflict, currentOrder, resumeExpired } from './current-order.js';
import { decide } from './decide.js';
import { newIntent, newOrder, type IdentifiedIntent } from './new-order.js';
import { findOption } from './offer.js';
import type { OrderStore } from './order-store.js';
import { asPlaceFailure, checkReached, linkClosed, refusal, refusalOf } from './place-failures.js';
import { asOnlyOrder, type Placed } from './placed.js';
import type { Restored } from './restored.js';
import { ClaimLost, NothingSent, type PayOrder } from './send-pay.js';

export type PlaceRequest = Pick<PayRequest, 'option' | 'customer' | 'replaces'> & {
  /** What the customer has seen. */
  expect?: Amount | undefined;
  /** The pay link that the order is paid by. */
  payLinkId?: string | undefined;
  /**
   * Called before a new intent is written.
   *
   * @throws Failure when the page may not open another intent
   */
  admit?: () => Promise<void>;
};
/** A request whose option was found. */
type Chosen = Omit<PlaceRequest, 'option'> & { option: PaymentOptionConfig };

/**
 * Returns the intent's order, and places it first if necessary.
 *
 * @throws Failure when the request is refused or nothing was placed
 */
export type Place = (intent: IdentifiedIntent, request: PlaceRequest) => Promise<Placed>;

type PlaceDeps = {
  store: OrderStore;
  restored: Restored;
  /** Asks the service at once, after a lost answer or a refusal. */
  queryNow(order: OrderRow): Promise<OrderRow>;
};

export function createPlace(context: Context, { queryNow, restored, store }: PlaceDeps): Place {
  const { identity, ledger, placing, time } = context;
  /** The placing under way in this process, by intent. */
  const underWay = new Map<string, { content: string; placed: Promise<Placed> }>();

  /**
   * Finds or places the order, and compares its amount with `expect`: an order that existed before
   * may charge another amount than the page shows now. A paid order is returned whatever it
   * charged.
   */
  async function place(intent: IdentifiedIntent, request: PlaceRequest): Promise<Placed> {
    const placed = await findOrPlace(intent, request);
    const { order } = placed;
    if (request.expect && order.outcome !== 'succeeded') checkAmount(order, request.expect);
    return placed;
  }

  async function findOrPlace(intent: IdentifiedIntent, request: PlaceRequest): Promise<Placed> {
    if (intent.expired) {
      await restored.adoptBeforeShown(intent.intent_id);
      return { order: await resumeExpired(context, intent, request.replaces !== undefined) };
    }
    const option = findOption(context.config, intent, request);
    const content = contentDigest(intent);
    const present = underWay.get(intent.intent_id);
    if (present) {
      if (present.content !== content) throw conflict();
      return present.placed;
    }
    const placed = placeOnce(intent, request, option).finally(() =>
      underWay.delete(intent.intent_id),
    );
    underWay.set(intent.intent_id, { content, placed });
    return placed;
  }

  async function readIntent(
    intentId: string,
  ): Promise<{ known: IntentRow | null; orders: readonly OrderRow[] }> {
    const known = await ledger.intent(intentId);
    return { known, orders: known ? await ledger.ordersOf(intentId) : [] };
  }

  async function placeOnce(
    intent: IdentifiedIntent,
    request: PlaceRequest,
    option: PaymentOptionConfig,
  ): Promise<Placed> {
    await restored.adoptBeforeShown(intent.intent_id);
    const { known, orders } = await placing.begin(() => readIntent(intent.intent_id));
    // an intent that was closed before its first order is stored without content, so there is
    // nothing to compare
    if (known && known.closed_at === null) checkContent(known, intent);
    const { replaces } = request;
    if (replaces) await checkReplaces(context, orders, replaces);
    const now = time.dateNow();
    const decision = decide(known, orders, replaces?.request_id, now);
    switch (decision.do) {
      case 'show':
        return { order: decision.order };
      case 'refuse':
        throw refusalOf(decision, now);
      case 'claim_again':
        checkClaim(context, intent, known, request.expect);
        return claimAgain(intent, decision.unsent, { ...request, option });
      case 'claim':
        checkClaim(context, intent, known, request.expect);
        if (!known) await request.admit?.();
        return claimNew(intent, decision, { ...request, option });
    }
  }

  /** Claims and sends an order that the ledger does not have. */
  async function claimNew(
    intent: IdentifiedIntent,
    { after, ordinal }: { after: string | null; ordinal: number },
    request: Chosen,
  ): Promise<Placed> {
    const request_id = await identity.requestId(intent.mode, intent.intent_id, ordinal);
    const row = intentRow(intent);
    /** Builds the claim with the present time, because the checks before it may be slow. */
    const claimNow = (): Claim => {
      const createdAt = time.dateNow();
      const order = newOrder(intent, request, { request_id, ordinal, createdAt });
      return { intent: row, order, after, payLink: linkClaim(request, createdAt) };
    };
    const adopted = await restored.adopt(claimNow());
    if (adopted) return { order: (await currentOrder(context, intent)) ?? checkReached(adopted) };
    const newClaim = claimNow();
    /**
     * The order of the caller that claimed first; `claim` sets it before it throws ClaimLost, and
     * `send` then returns it.
     */
    let winner: OrderRow | null = null;
    const claim = async (order: OrderRow): Promise<Intent> => {
      const result = await ledger.claimOrder({ ...newClaim, order });
      if (result.claimed) return result.intent;
      if (result.refused) throw linkClosed();
      if (result.intent.closed_at !== null) throw refusal('intent_closed');
      if (result.intent.content !== row.content) throw conflict();
      if (request.replaces && result.intent.paid_request_id !== null) throw refusal('already_paid');
      winner = result.order;
      throw new ClaimLost();
    };
    const { customer, option } = request;
    const pay = { intent: row, order: newClaim.order, option, customer, claim };
    return send(pay, async () => winner);
  }

  /** Claims and sends an order of which nothing was sent, with the option of this request. */
  async function claimAgain(
    intent: IdentifiedIntent,
    unsent: OrderRow,
    request: Chosen,
  ): Promise<Placed> {
    const adopted = await restored.adoptUnsent(unsent);
    if (adopted) return { order: checkReached(adopted) };
    const { ordinal, request_id } = unsent;
    const createdAt = time.dateNow();
    const reclaimed = newOrder(intent, request, { request_id, ordinal, createdAt });
    const order = { ...reclaimed, version: unsent.version + 1 };
    const claim = async (claimedOrder: OrderRow): Promise<null> => {
      const claimed = await ledger.reclaimOrder(claimedOrder, linkClaim(request, createdAt));
      if (claimed === 'link_closed') throw linkClosed();
      if (claimed) return null;
      const stored = await ledger.intent(intent.intent_id);
      throw stored?.closed_at ? refusal('intent_closed') : new ClaimLost();
    };
    const row = intentRow(intent);
    const { customer, option } = request;
    return send({ intent: row, order, option, customer, claim }, () =>
      currentOrder(context, intent),
    );
  }

  /** @param findWinner finds the order of the caller that claimed first */
  async function send(pay: PayOrder, findWinner: () => Promise<OrderRow | null>): Promise<Placed> {
    try {
      const { intent, order } = await payAndCarryOut(context, store, pay, queryNow);
      return { order: checkReached(order), inIntent: asOnlyOrder(order, intent) };
    } catch (error) {
      if (!(error instanceof NothingSent)) throw error;
      const winner = error.cause instanceof ClaimLost ? await findWinner() : null;
      if (winner) return { order: checkReached(winner) };
      logUnsent(pay.order, error.cause);
      throw asPlaceFailure(error.cause);
    }
  }

  const intentRow = (intent: IdentifiedIntent): IntentRow => {
    const afterS = context.config.shop_events?.unpaid_after_s;
    // The relay looks for due reports by the aging time. A time by a clock that has just stepped
    // back would be over at once for another relay, which has not yet noticed the step.
    const dueAt = afterS === undefined ? null : time.reachedAgingNow() + afterS * 1000;
    return newIntent(intent, time.now(), dueAt);
  };

  const logUnsent = ({ intent_id, request_id }: OrderRow, cause: unknown): void => {
    if (!(cause instanceof OrderServiceError)) return;
    const { causeCode, field, kind } = cause;
    const named = { intent_id, request_id };
    context.log('warn', 'pay', { ...named, kind, cause: causeCode, field, claimed: false });
  };

  return place;
}

const linkClaim = ({ payLinkId }: Chosen, now: number): PayLinkClaim | undefined =>
  payLinkId === undefined ? undefined : { pay_link_id: payLinkId, now };
