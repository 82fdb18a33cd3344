/** Sends one claimed order to the service, and writes what came of it. Called by whoever won the claim, and by nobody else. */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Customer } from '../contract/requests.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { codeForLog, OrderServiceError } from '../order-service/errors.js';
import type { RequestOf } from '../order-service/operations.js';
import type { Changes } from './apply.js';
import { LONGEST_QUEUE_MS } from './breaker.js';
import type { Context } from './context.js';
import type { Fact, Work } from './order-flow.js';

type Claim = {
  intent: IntentRow;
  order: OrderRow;
  option: PaymentOptionConfig;
  customer?: Customer | undefined;
};

export async function sendPay(
  context: Context,
  changes: Changes,
  claim: Claim,
): Promise<{ order: OrderRow; work: readonly Work[] }> {
  return changes.apply(claim.order.request_id, await askPay(context, claim));
}

async function askPay(context: Context, claim: Claim): Promise<Fact> {
  const { clock, config, log, service } = context;
  const { next_check_at, request_id, version } = claim.order;
  // written so late that the sweep could call the claim lost while its request is under way: it does not leave
  if ((next_check_at ?? Infinity) - clock.now() < config.service.timeout_ms + LONGEST_QUEUE_MS)
    return { type: 'pay_unsent', at: clock.now(), claim: version };
  try {
    const said = await service.pay(await payRequest(context, claim));
    return { type: 'pay_answered', at: clock.now(), said };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    log('warn', 'pay', {
      request_id,
      kind: error.kind,
      code: codeForLog(error.code),
      field: error.field,
    });
    switch (error.kind) {
      case 'refused':
        return { type: 'pay_refused', at: clock.now(), claim: version };
      case 'invalid_request':
      case 'unreachable':
        return { type: 'pay_unsent', at: clock.now(), claim: version };
      case 'unreadable':
      case 'outcome_unknown':
        return { type: 'pay_lost', at: clock.now(), claim: version };
    }
  }
}

/** Absent fields are left out, since the service's handling of empty ones is not documented. */
async function payRequest(
  { capabilities, config }: Context,
  { intent, order, option, customer }: Claim,
): Promise<RequestOf<'pay'>> {
  const { request_id } = order;
  const given = <K extends string>(name: K, value: string | null | undefined) =>
    value == null ? {} : ({ [name]: value } as Record<K, string>);
  return {
    request_id,
    payment_method: option.payment_method,
    amount: intent.amount,
    currency: intent.currency,
    product_name: intent.product_name,
    customer_ref_id: intent.customer_ref_id,
    notify_url: `${config.public_url}/v1/notify/${request_id}.${await capabilities.mint('notify', request_id)}`,
    ...given('pay_currency', option.pay_currency ?? intent.pay_currency),
    ...given('remark', intent.remark),
    ...given('return_url', intent.return_url),
    ...given('payment_type', option.payment_type),
    ...given('payment_channel', option.payment_channel),
    ...(customer && Object.keys(customer).length > 0 ? { customer } : {}),
  };
}
