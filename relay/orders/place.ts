/**
 * Places an order: one intent has one current order, and the relay sends one pay request for it to
 * the service. Only a lost request is sent again.
 *
 * The ledger decides what is done (decide.ts). The claim and the pay are one step (send-pay.ts).
 * Calls of this process for one intent share the first call's result, but not its refusal of
 * another choice. When two relays place the same intent, one of them wins the claim, and the other
 * shows the winner's order.
 */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { PayRequest } from '../contract/requests.js';
import { traceField, type Trace } from '../contract/trace.js';
import { contentDigest } from '../intent/order-intent.js';
import { orderOf, type Intent, type OrderInIntent } from '../ledger/intent.js';
import type { ChangeAlso, Changed } from '../ledger/ledger.js';
import { claiming, reclaiming, type Claim } from '../ledger/rules.js';
import type { PayLinkRow } from '../ledger/pay-link-ledger.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { shownOrder } from '../ledger/shown-order.js';
import { errorForLog, OrderServiceError } from '../order-service/errors.js';
import { carryOut } from './carry-out.js';
import { type Amount, checkAmount, checkClaim, checkReplaces } from './checks.js';
import type { Context } from './context.js';
import { asStored, checkContent, conflict, resumeExpired } from './current-order.js';
import { decide } from './decide.js';
import { newIntent, newOrder, type IdentifiedIntent } from './new-order.js';
import { findOption } from './offer.js';
import type { OrderStore } from './order-store.js';
import {
  asPlaceFailure,
  checkReached,
  deletedMeanwhile,
  linkClosed,
  refusal,
  refusalOf,
} from './place-failures.js';
import type { Restored } from './restored/restored.js';
import { claimPay, type PayOrder } from './send-pay.js';

export type PlaceRequest = Pick<PayRequest, 'option' | 'customer' | 'replaces'> & {
  /** What the customer has seen. */
  expect?: Amount | undefined;
  /** The pay link that the order is paid by. */
  payLink?: Pick<PayLinkRow, 'created_at' | 'pay_link_id'> | undefined;
  trace?: Trace | undefined;
  /**
   * Called before a new intent is written.
   *
   * @throws Failure when the page may not open another intent
   */
  admit?: () => Promise<void>;
};
/** A request whose option was found. */
type Chosen = Omit<PlaceRequest, 'option'> & {
  option: PaymentOptionConfig;
  /** Of the ledger, before the relay asked whether it lacks the order. */
  epoch: string | null;
};

/**
 * Returns the intent's order, and places it first if necessary.
 *
 * @throws Failure when the request is refused or nothing was placed
 */
export type Place = (intent: IdentifiedIntent, request: PlaceRequest) => Promise<OrderInIntent>;

/** `content`, `chosen`: what is bought, and how it is to be paid, as texts that are compared. */
type UnderWay = { content: string; chosen: string; placed: Promise<OrderInIntent> };

type PlaceDeps = {
  store: OrderStore;
  restored: Restored;
  /** Asks the service at once, after a lost answer or a refusal. */
  queryNow(order: OrderRow, trace?: Trace): Promise<OrderInIntent>;
};

export function createPlace(context: Context, { queryNow, restored, store }: PlaceDeps): Place {
  const { identity, ledger, placingLimit, ledgerClock } = context;
  /** The placing under way in this process, by intent. */
  const underWay = new Map<string, UnderWay>();

  /**
   * Finds or places the order, and compares its amount with `expect`: an order that existed before
   * may charge another amount than the page shows now. A paid order is returned whatever it
   * charged.
   */
  async function place(intent: IdentifiedIntent, request: PlaceRequest): Promise<OrderInIntent> {
    const placed = await findOrPlace(intent, request);
    const { order } = placed;
    if (request.expect && order.outcome !== 'succeeded') checkAmount(order, request.expect);
    return placed;
  }

  async function findOrPlace(
    intent: IdentifiedIntent,
    request: PlaceRequest,
  ): Promise<OrderInIntent> {
    if (intent.expired) {
      await restored.adoptBeforeShown(intent.intent_id);
      return resumeExpired(context, intent, request.replaces !== undefined);
    }
    const content = contentDigest(intent);
    const { customer, expect, option, replaces } = request;
    const chosen = JSON.stringify([option, customer, expect, replaces]);
    const present = underWay.get(intent.intent_id);
    if (present) {
      if (present.content !== content) throw conflict(intent);
      if (present.chosen === chosen) return present.placed;
      // what was refused for another choice may be taken for this one
      return present.placed.catch(() => findOrPlace(intent, request));
    }
    const placed = placeOnce(intent, request).finally(() => underWay.delete(intent.intent_id));
    underWay.set(intent.intent_id, { content, chosen, placed });
    return placed;
  }

  async function placeOnce(asked: IdentifiedIntent, request: PlaceRequest): Promise<OrderInIntent> {
    const epoch = await restored.epoch();
    await restored.adoptBeforeShown(asked.intent_id);
    const known = await placingLimit.begin(() => ledger.intent(asked.intent_id));
    const intent = known ? asStored(known, asked) : asked;
    // an intent that was closed before its first order is stored without content, so there is
    // nothing to compare
    if (known && known.closed_at === null) checkContent(known, intent);
    const { replaces } = request;
    if (replaces) await checkReplaces(context, known?.orders ?? [], replaces);
    const decision = decide(context.config, known, replaces?.request_id, ledgerClock.ageOf);
    /** Only now: an order is shown also when its option was switched off since. */
    const choose = (): Chosen => {
      const option = findOption(context.offer(), intent, request);
      checkClaim(context, intent, known, request.expect);
      return { ...request, option, epoch };
    };
    switch (decision.do) {
      case 'show':
        return { intent: decision.intent, order: decision.order };
      case 'refuse':
        throw refusalOf(decision, ledgerClock.ageOf);
      case 'claim_again':
        return claimAgain(intent, known, decision.unsent, choose());
      case 'claim': {
        const chosen = choose();
        if (!known) await request.admit?.();
        return claimNew(intent, known, decision, chosen);
      }
    }
  }

  /** Claims and sends an order that the ledger does not have. */
  async function claimNew(
    intent: IdentifiedIntent,
    known: Intent | null,
    { after, ordinal }: { after: string | null; ordinal: number },
    request: Chosen,
  ): Promise<OrderInIntent> {
    const request_id = await identity.requestId(intent.mode, intent.intent_id, ordinal);
    const row = intentRow(intent);
    /** Builds the claim with the present time, because the checks before it may be slow. */
    const claimNow = (): Claim => {
      const made = { request_id, ordinal, ...ledgerClock.stamp() };
      return { intent: row, order: newOrder(intent, request, made), after };
    };
    const madeAt = Math.min(
      row.created_at,
      known?.created_at ?? Infinity,
      request.payLink?.created_at ?? Infinity,
    );
    const adopted = await restored.adopt(claimNow(), madeAt);
    if (adopted) return shown(adopted, row);
    const claim = claimNow();
    const pay = payOf(row, claim.order, known, request);
    const claimAt: PayOrder['claim'] = (order, at) => claiming({ ...claim, order }, at);
    return send({ ...pay, claim: restored.unlessRestored(claimAt, request.epoch) }, request);
  }

  /** Claims and sends an order of which nothing was sent, with the option of this request. */
  async function claimAgain(
    intent: IdentifiedIntent,
    known: Intent | null,
    unsent: OrderRow,
    request: Chosen,
  ): Promise<OrderInIntent> {
    const row = intentRow(intent);
    const adopted = await restored.adoptUnsent(unsent);
    if (adopted) return shown(adopted, row);
    const { ordinal, request_id } = unsent;
    const again = newOrder(intent, request, { request_id, ordinal, ...ledgerClock.stamp() });
    const order = { ...again, version: unsent.version + 1 };
    const claim = restored.unlessRestored(reclaiming(unsent), request.epoch);
    return send({ ...payOf(row, order, known, request), claim }, request);
  }

  const payOf = (
    intent: IntentRow,
    order: OrderRow,
    known: Intent | null,
    { customer, option, payLink: link, trace }: Chosen,
  ): Omit<PayOrder, 'claim'> & { also: ChangeAlso } => {
    const now = ledgerClock.latestNow();
    const payLink = link && { pay_link_id: link.pay_link_id, now };
    return { intent, order, option, customer, trace, also: { known, payLink } };
  };

  async function send(pay: PayOrder, request: Chosen): Promise<OrderInIntent> {
    const claimed = await claimPay(context, store, pay).catch((error: unknown) => {
      logUnsent(pay, error);
      throw asPlaceFailure(error);
    });
    if (!claimed.won) return winnerOf(claimed.changed, pay, request);
    const sent = await claimed.send();
    const found = await carryOut(context, store, sent, async ({ order }) => {
      return { ...(await queryNow(order, pay.trace)), effects: [] };
    });
    checkReached(found.order, claimed.isLate, sent.why);
    return found;
  }

  /** The order of the caller that was faster. */
  function winnerOf(
    { intent, result }: Changed,
    { also, intent: row }: PayOrder,
    { replaces }: Chosen,
  ): OrderInIntent {
    if (result === 'link_closed') throw linkClosed();
    if (!intent && also?.known) throw deletedMeanwhile();
    if (!intent) throw new Error('another intent has the request_id of this order');
    if (intent.closed_at !== null) throw refusal('intent_closed');
    const winner = shown(intent, row);
    if (replaces && intent.paid_request_id !== null) throw refusal('already_paid');
    return winner;
  }

  /** The order of the intent that a page sees, if the page asked for the same content. */
  function shown(intent: Intent, { content }: IntentRow): OrderInIntent {
    // a close wrote it meanwhile, with the orders that a restored ledger lost but without content
    if (intent.content === '' && intent.closed_at !== null) throw refusal('intent_closed');
    if (intent.content !== content) throw conflict(intent);
    const order =
      shownOrder(context.config, intent) ?? orderOf(intent, intent.current_request_id ?? '');
    if (!order) throw new Error('the intent has no order');
    return { intent, order: checkReached(order) };
  }

  const intentRow = (intent: IdentifiedIntent): IntentRow => {
    const afterS = context.config.shop_events?.unpaid_after_s;
    // The relay looks for due reports by the aging time. A time by a clock that has just stepped
    // back would be over at once for another relay, which has not yet noticed the step.
    const { aged_from, created_at } = ledgerClock.stamp();
    const dueAt = afterS === undefined ? null : aged_from + afterS * 1000;
    return newIntent(intent, created_at, dueAt);
  };

  const logUnsent = ({ order, trace }: PayOrder, cause: unknown): void => {
    if (!(cause instanceof OrderServiceError)) return;
    const { intent_id, request_id } = order;
    const named = { intent_id, request_id, ...traceField(trace) };
    const { config, log } = context;
    const why = errorForLog(cause, config.service, { customerKnown: false, hide: [] });
    log('warn', 'pay', { ...named, ...why, claimed: false });
  };

  return place;
}
