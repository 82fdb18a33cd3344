/** POST /v1/checkout: what to show, and the order that already stands. */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import { CONTRACT } from '../contract/paths.js';
import type { CheckoutResponse, PaymentOption } from '../contract/responses.js';
import { readBody } from '../gates/json-body.js';
import { readIntent } from '../intent/read-intent.js';
import { currentOrder, offered } from '../orders/place.js';
import { project } from '../orders/projection.js';
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Handler } from './mount.js';

export const checkout: Handler<CheckoutResponse> = async ({ context, limit, request }) => {
  const { config } = context;
  const { attempt = null, ...said } = await readBody(request, endpoints.checkout.request);
  const intent = await readIntent(config, said, attempt);
  await limit('intent', intent.intentId ?? undefined);
  const order = await currentOrder(context, intent);
  // a price that changed after the first try changes nothing: what was opened is what is charged
  const opened = intent.intentId === null ? null : await context.ledger.intent(intent.intentId);
  const amount = order?.amount ?? opened?.amount ?? intent.amount;
  if (intent.expired && !order) throw new Failure('token_expired', 'the order token has expired', 'order_token');
  return {
    contract: CONTRACT,
    checkout: {
      amount,
      currency: intent.currency,
      product_name: intent.productName,
      ...(intent.remark === null ? {} : { remark: intent.remark }),
      options: config.options.filter((option) => offered({ ...intent, amount }, option)).map(asShown),
      livemode: config.mode === 'live',
      shop_name: config.shop.name,
      ...(config.shop.support_url === undefined ? {} : { support_url: config.shop.support_url }),
      link_schemes: config.links.schemes,
    },
    ...(order ? { order: await project(context, order) } : {}),
  };
};

const asShown = ({ id, label, payment_method, payment_type, payment_channel, customer }: PaymentOptionConfig): PaymentOption => ({
  id,
  label,
  payment_method,
  ...(payment_type === undefined ? {} : { payment_type }),
  ...(payment_channel === undefined ? {} : { payment_channel }),
  ...(customer === undefined ? {} : { customer }),
});
