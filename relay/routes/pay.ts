/** POST /v1/pay: the intent's order, its next action and its order_key. */
import { endpoints } from '../contract/endpoints.js';
import type { Order } from '../contract/order.js';
import { readBody } from '../gates/json-body.js';
import { readIntent } from '../intent/read-intent.js';
import { project } from '../orders/projection.js';
import type { Handler } from './mount.js';

export const pay: Handler<{ order: Order }> = async ({ context, limit, place, request }) => {
  const { option, attempt, customer, replaces, ...said } = await readBody(
    request,
    endpoints.pay.request,
  );
  const intent = await readIntent(context.config, said, attempt);
  const intentId = intent.intentId ?? attempt;
  await limit('intent', intentId);
  const order = await place({ ...intent, intentId }, { option, customer, replaces });
  return { order: await project(context, order) };
};
