/** Claims an order, sends its pay to the service, and writes the result to the ledger. */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Customer } from '../contract/requests.js';
import type { Intent } from '../ledger/intent.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { codeForLog, messageForLog, OrderServiceError } from '../order-service/errors.js';
import type { RequestOf } from '../order-service/operations.js';
import type { Context } from './context.js';
import type { OrderEvent } from './order-event.js';
import { claimMs, type OrderStore, type Written } from './order-store.js';

/**
 * A claim whose write took longer than this is not used: the end of the claim was set before the
 * write, and could come before the deadline of its request. This bound is below the time for which
 * a claim outlasts that deadline (`CLAIM_GRACE_MS` in order-store.ts).
 */
const MAX_CLAIM_WRITE_MS = 2000;

/** Thrown by a claim when another caller or relay claimed first. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** Thrown when the claim failed or was not reached, so nothing was sent; `cause` is the reason. */
export class NothingSent extends Error {
  override readonly name = 'NothingSent';
  constructor(cause: unknown) {
    super('nothing was sent', { cause });
  }
}

/** A pay to send, and how its order is claimed. */
export type PayOrder = {
  intent: Omit<IntentRow, 'current_request_id' | 'paid_request_id'>;
  /** The order to claim; the claim sets its `next_check_at`. */
  order: OrderRow;
  option: PaymentOptionConfig;
  customer?: Customer | undefined;
  /**
   * Writes the claim by compare and set.
   *
   * @param order with the end of the claim as its `next_check_at`
   * @returns the intent as stored; null when the claim did not read it
   * @throws ClaimLost when another caller or relay claimed first
   */
  claim: (order: OrderRow) => Promise<Intent | null>;
};

/**
 * Sends one pay. The claim is the last await before the request is written to the socket. So a
 * process that was frozen before its claim finds that another relay has claimed, and sends nothing.
 *
 * @throws NothingSent when the claim failed or was not reached
 */
export async function sendPay(
  context: Context,
  store: OrderStore,
  pay: PayOrder,
): Promise<Written> {
  const { clock, config, log, placing, service, time } = context;
  const { intent_id, request_id, version: claim } = pay.order;
  let claimed: OrderRow | null = null;
  let claimedIn: Intent | null = null;
  const claimOrder = async (): Promise<() => boolean> => {
    const began = clock.elapsed();
    // The end of the claim is set only now, because the signature before it may take long. If the
    // claim ended during the request, the request would count as lost.
    const order = { ...pay.order, next_check_at: time.now() + claimMs(context) };
    claimedIn = await pay.claim(order);
    claimed = order;
    if (clock.elapsed() - began > MAX_CLAIM_WRITE_MS)
      throw new OrderServiceError('unreachable', 'the claim was written too late');
    // a process that was frozen while it connected must not write after its deadline
    return () => clock.elapsed() - began < config.service.timeout_ms;
  };
  // the time of the claim begins after the wait for the ledger
  const beforeWrite = (): Promise<() => boolean> => placing.goOn(claimOrder);
  const sendRequest = async (): Promise<OrderEvent> => {
    try {
      const answer = await service.pay(await payRequest(context, pay), undefined, beforeWrite);
      return { type: 'pay_answered', at: time.now(), answer };
    } catch (error) {
      if (!claimed) throw new NothingSent(error);
      if (!(error instanceof OrderServiceError)) throw error;
      log('warn', 'pay', {
        intent_id,
        request_id,
        kind: error.kind,
        code: codeForLog(error.code),
        http_status: error.httpStatus,
        service_message: messageForLog(error.serviceMessage, hiddenOf(context, pay)),
        cause: error.causeCode,
        field: error.field,
      });
      return { type: EVENTS[error.kind], at: time.now(), claim };
    }
  };
  const event = await sendRequest();
  try {
    return await store.applyTo(claimed ?? pay.order, event, claimedIn);
  } catch (error) {
    // the claim stays, and when it ends the order counts as lost and is asked about
    log('error', 'pay', { intent_id, request_id, change: event.type, error: String(error) });
    throw error;
  }
}

/** What no log line may contain, also when the service repeats it. */
const hiddenOf = ({ config }: Context, { customer = {} }: PayOrder): string[] => [
  ...Object.values(config.service.headers).map((secret) => secret.reveal()),
  // a service may repeat an e-mail address without its domain
  ...Object.values(customer).flatMap((value) => [value, value.split('@')[0] ?? value]),
];

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
): Promise<RequestOf<'pay'>> {
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
