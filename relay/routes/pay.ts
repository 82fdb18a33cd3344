/** POST /v1/pay: the intent's order, its next action and its order_key. */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import { readBody } from '../http/body.js';
import { readIntent } from '../intent/read-intent.js';
import { pageIntentId } from '../orders/current-order.js';
import { project } from '../orders/projection.js';
import type { Handler } from './mount.js';

export const pay: Handler<{ order: Order }> = async (call) => {
  const { address, context, limit, place, request } = call;
  const body = await readBody(request, endpoints.pay.request);
  const { option, attempt, customer, replaces, ...said } = body;
  const ofPage = said.order_token === undefined;
  const intent = await readIntent(
    context.config,
    said,
    ofPage ? await pageIntentId(context, attempt) : null,
  );
  const { intent_id } = intent;
  if (intent_id === null) throw new Failure('invalid_request', 'attempt is required', 'attempt');
  await limit('intent', intent_id);
  const order = await place(
    { ...intent, intent_id },
    {
      option,
      customer,
      replaces,
      // a token is the shop's own word; what a page opens costs the ledger a row
      ...(ofPage && { attempt, admit: () => limit('new_intent', address) }),
    },
  );
  return { order: await project(context, order) };
};
