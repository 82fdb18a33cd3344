/** POST /v1/pay: the intent's order, its next action and its order_key. */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import type { PayRequest } from '../contract/requests.js';
import { readBody } from '../http/body.js';
import type { PayLinkUse } from '../ledger/pay-link-ledger.js';
import { readIntent } from '../intent/read-intent.js';
import type { Context } from '../orders/context.js';
import { project } from '../orders/projection.js';
import { intentToPay, linkOfRequest } from '../pay-links/link-intent.js';
import type { PayLink } from '../pay-links/pay-link.js';
import type { Handler, RequestContext } from './mount.js';

export const pay: Handler<{ order: Order }> = async (call) => {
  const { address, context, limit, place, request } = call;
  const body = await readBody(request, endpoints.pay.request);
  const { option, attempt, customer, expect, replaces, ...fields } = body;
  const link = await linkOfRequest(context, fields);
  if (link) return payByLink(call, link, body);
  const isPageIntent = fields.order_token === undefined;
  const intent = await readIntent(
    context.config,
    fields,
    isPageIntent ? await context.identity.intentIdOf(attempt) : null,
    await context.identity.audiences(Date.now()),
  );
  const { intent_id } = intent;
  if (intent_id === null) throw new Failure('invalid_request', 'attempt is required', 'attempt');
  await limit('intent', intent_id);
  const { inIntent, order } = await place(
    { ...intent, intent_id },
    {
      option,
      customer,
      expect,
      replaces,
      // the shop decides how many tokens it signs; a page may open any number of intents
      ...(isPageIntent && { admit: () => limit('new_intent', address) }),
    },
  );
  return { order: await project(context, order, inIntent) };
};

async function payByLink(
  { address, context, limit, place }: RequestContext,
  link: PayLink,
  { attempt, customer, expect, option, replaces, ...fields }: PayRequest,
): Promise<{ order: Order }> {
  const intent = await intentToPay(context, link, {
    attempt,
    fields,
    replaces: replaces !== undefined,
  });
  await limit('intent', intent.intent_id);
  const { pay_link_id, uses } = link.row;
  const payLink = { pay_link_id, attempt };
  const request = {
    option,
    customer,
    expect,
    replaces,
    payLink,
    // a link with a single use opens one intent, however often it is paid by
    ...(uses > 1 && { admit: () => limit('new_intent', address) }),
  };
  try {
    const { inIntent, order } = await place(intent, request);
    return { order: await project(context, order, inIntent) };
  } catch (error) {
    // a use must not be lost to an order that never reached the service
    if (error instanceof Failure && error.code === 'service_unreachable' && uses > 1)
      await freeUse(context, payLink);
    throw error;
  }
}

/** Frees a browser's use of a link. It never rejects, so that the page gets the first error. */
async function freeUse({ ledger, log }: Context, use: PayLinkUse): Promise<void> {
  try {
    await ledger.freePayLinkUse(use);
  } catch (error) {
    // the browser keeps its use, and pays with it later
    log('warn', 'pay_link', { pay_link_id: use.pay_link_id, error: String(error) });
  }
}
