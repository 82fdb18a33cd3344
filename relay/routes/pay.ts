/** POST /v1/pay: the intent's order, its next action and its order_key. */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import type { PayRequest } from '../contract/requests.js';
import { readBody } from '../http/body.js';
import { readIntent } from '../intent/read-intent.js';
import { project } from '../orders/projection.js';
import { intentToPay, linkOfRequest } from '../pay-links/link-intent.js';
import type { PayLink } from '../pay-links/pay-link.js';
import type { Handler, RequestContext } from './mount.js';

export const pay: Handler<{ order: Order }> = async (call) => {
  const { about, address, context, limit, place, request, trace } = call;
  const body = await readBody(request, endpoints.pay.request);
  const { option, attempt, customer, expect, replaces, ...fields } = body;
  const link = await linkOfRequest(context, fields);
  if (link) return payByLink(call, link, body);
  const isPageIntent = fields.order_token === undefined;
  const intent = await readIntent(
    context.config,
    fields,
    isPageIntent ? await context.identity.intentIdOf(attempt) : null,
    await context.identity.audiences(context.clock.now()),
    about,
  );
  const { intent_id } = intent;
  if (intent_id === null) throw new Failure('invalid_request', 'attempt is required', 'attempt');
  await limit('intent', intent_id);
  const placed = await place(
    { ...intent, intent_id },
    {
      option,
      customer,
      expect,
      replaces,
      trace,
      // the shop decides how many tokens it signs; a page may open any number of intents
      ...(isPageIntent && { admit: () => limit('new_intent', address) }),
    },
  );
  return { order: await project(context, placed) };
};

async function payByLink(
  { address, context, limit, place, restored, trace }: RequestContext,
  link: PayLink,
  { attempt, customer, expect, option, replaces, ...fields }: PayRequest,
): Promise<{ order: Order }> {
  const admit = (): Promise<void> => limit('new_intent', address);
  const page = { attempt, fields, replaces: replaces !== undefined };
  const intent = await intentToPay(context, { admit, restored }, link, page);
  await limit('intent', intent.intent_id);
  const { created_at, pay_link_id, uses } = link.row;
  const placed = await place(intent, {
    option,
    customer,
    expect,
    replaces,
    payLink: { pay_link_id, created_at },
    trace,
    // a link with a single use opens one intent, however often it is paid by
    ...(uses > 1 && { admit }),
  });
  return { order: await project(context, placed) };
}
