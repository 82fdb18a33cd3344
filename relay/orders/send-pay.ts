/** Claims an order, sends its pay to the service, and writes the result to the ledger. */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Customer } from '../contract/requests.js';
import { traceField, type Trace } from '../contract/trace.js';
import type { Intent, Rule } from '../ledger/intent.js';
import type { ChangeAlso, Changed } from '../ledger/ledger.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { unlessInReview } from '../ledger/rules.js';
import { errorForLog, OrderServiceError } from '../order-service/errors.js';
import type { PreparedPay } from '../order-service/client.js';
import type { RequestToCheck } from '../order-service/operations.js';
import type { Context } from './context.js';
import { checkOffered } from './offer.js';
import type { OrderEvent } from './order-event.js';
import { claimMs, type OrderStore, type Written } from './order-store.js';

/**
 * A claim whose write took longer than this is not used: the end of the claim was set before the
 * write, and could come before the deadline of its request. This bound is below the time for which
 * a claim outlasts that deadline (`CLAIM_GRACE_MS` in order-store.ts).
 */
const MAX_CLAIM_WRITE_MS = 2000;

/** A pay to send, and how its order is claimed. */
export type PayOrder = {
  intent: IntentRow;
  /** The order to claim; the claim sets its `next_check_at`. */
  order: OrderRow;
  option: PaymentOptionConfig;
  customer?: Customer | undefined;
  /** Of the request that causes the pay. */
  trace?: Trace | undefined;
  /** The change that claims the order now. */
  claim: (order: OrderRow, at: number) => Rule;
  also?: ChangeAlso;
};

/**
 * A claimed order. `send` must be called next, without an await before it.
 *
 * `isLate`: the ledger took so long to write the claim that nothing will be sent.
 */
type ClaimedPay = { readonly won: true; readonly isLate: boolean; send(): Promise<Sent> };
/** `why`: the relay's own reason for sending nothing. */
type Sent = Written & { readonly why?: string };
/** Another caller or relay was faster, or the intent takes no order. Nothing was sent. */
type LostClaim = { readonly won: false; readonly changed: Changed };

/**
 * Claims an order. The claim is the last await before its request is written to the socket. So a
 * process that was frozen before its claim finds that another relay has claimed, and sends nothing.
 *
 * @throws Error when the claim failed or was not reached; nothing was sent
 */
export async function claimPay(
  context: Context,
  store: OrderStore,
  pay: PayOrder,
): Promise<ClaimedPay | LostClaim> {
  const { clock, ledger, placingLimit, service, ledgerClock } = context;
  const ready = await service.preparePay(await payRequest(context, pay), pay.trace);
  try {
    // the time of the claim begins after the wait for the ledger
    const claimed = await placingLimit.goOn(async () => {
      const began = clock.elapsed();
      // the end of the claim is set only now, because the signature before it may take long
      const at = ledgerClock.now();
      const order = { ...pay.order, next_check_at: at + claimMs(context) };
      // the option may have been switched off during the signature, also that of a lost order
      checkOffered(context.offer(), order.option);
      const rule = unlessInReview(context.config, pay.claim(order, at));
      const changed = await ledger.change(order.intent_id, rule, pay.also);
      return { began, changed, order };
    });
    const { began, changed, order } = claimed;
    const { intent, result } = changed;
    if (result === 'written' && intent) {
      const isLate = clock.elapsed() - began > MAX_CLAIM_WRITE_MS;
      const made = { pay, ready, began, isLate, order, intent };
      return { won: true, isLate, send: () => send(context, store, made) };
    }
    ready.drop();
    return { won: false, changed };
  } catch (error) {
    ready.drop();
    throw error;
  }
}

type Claimed = {
  pay: PayOrder;
  ready: PreparedPay;
  /** When the claim began, in elapsed time. */
  began: number;
  isLate: boolean;
  order: OrderRow;
  intent: Intent;
};

async function send(
  context: Context,
  store: OrderStore,
  { intent, order, ...claimed }: Claimed,
): Promise<Sent> {
  const { pay } = claimed;
  const { event, why } = await sendRequest(context, claimed);
  try {
    const written = await store.apply(order, event, { known: intent, trace: pay.trace });
    return why === undefined ? written : { ...written, why };
  } catch (error) {
    // the claim stays, and when it ends the order counts as lost and is asked about
    const { intent_id, request_id } = order;
    context.log('error', 'pay', {
      intent_id,
      request_id,
      ...traceField(pay.trace),
      change: event.type,
      error: String(error),
    });
    throw error;
  }
}

async function sendRequest(
  context: Context,
  { began, isLate, pay, ready }: Omit<Claimed, 'intent' | 'order'>,
): Promise<{ event: OrderEvent; why?: string }> {
  const { clock, config, log, ledgerClock } = context;
  const { intent_id, request_id, version: claim } = pay.order;
  try {
    if (isLate) {
      ready.drop();
      const why = 'the ledger took too long to write the claim';
      throw new OrderServiceError('unreachable', why, { isOwn: true });
    }
    // a process that was frozen while it connected must not write after its deadline
    const answer = await ready.send(() => clock.elapsed() - began >= config.service.timeout_ms);
    return { event: { type: 'pay_answered', at: ledgerClock.now(), answer } };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    log('warn', 'pay', {
      intent_id,
      request_id,
      ...traceField(pay.trace),
      ...errorForLog(error, config.service, { customerKnown: true, hide: personalOf(pay) }),
    });
    const event = { type: EVENTS[error.kind], at: ledgerClock.now(), claim };
    return { event, ...(error.isOwn && { why: error.message }) };
  }
}

/** A service may repeat an e-mail address without its domain. */
const personalOf = ({ customer = {} }: PayOrder): string[] =>
  Object.values(customer).flatMap((value) => [value, value.split('@')[0] ?? value]);

/** The event of each kind of error. */
const EVENTS = {
  refused: 'pay_refused',
  invalid_request: 'pay_unsent',
  unreachable: 'pay_unsent',
  unreadable: 'pay_lost',
  outcome_unknown: 'pay_lost',
} as const;

/** Leaves absent fields out: the service does not document what it does with empty ones. */
async function payRequest(
  { capabilities, config }: Context,
  { intent, order, option, customer }: PayOrder,
): Promise<RequestToCheck<'pay'>> {
  const { request_id } = order;
  const capability = await capabilities.mint('notify', request_id);
  const customerData = customer && Object.keys(customer).length > 0 ? customer : undefined;
  return {
    request_id,
    payment_method: option.payment_method,
    amount: order.amount,
    currency: order.currency,
    product_name: intent.product_name,
    customer_ref_id: intent.customer_ref_id,
    notify_url: `${config.public_url}/v1/notify/${request_id}.${capability}`,
    // fields with the value undefined are left out of the JSON
    pay_currency: option.pay_currency ?? intent.pay_currency ?? undefined,
    remark: intent.remark ?? undefined,
    return_url: intent.return_url ?? undefined,
    payment_type: option.payment_type,
    payment_channel: option.payment_channel,
    customer: customerData,
  };
}
