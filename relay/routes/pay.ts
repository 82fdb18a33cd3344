/** POST /v1/pay: the intent's order, its next action and its order_key. */
import { Failure } from '../contract/failure.js';
import type { Order } from '../contract/order.js';
import { payRequest, type IntentRequest } from '../contract/requests.js';
import { readBody } from '../http/body.js';
import { readIntent } from '../intent/read-intent.js';
import type { IdentifiedIntent } from '../orders/new-order.js';
import { project } from '../orders/projection.js';
import { intentToPay, linkOfRequest } from '../pay-links/link-intent.js';
import type { Handler, RequestContext } from './mount.js';

export const pay: Handler<{ order: Order }> = async (call) => {
  const { address, context, limit, place, request, restored, trace } = call;
  const body = await readBody(request, payRequest);
  const { option, attempt, customer, expect, replaces, ...fields } = body;
  const admit = (): Promise<void> => limit('new_intent', address);
  const link = await linkOfRequest(context, fields);
  const page = { attempt, fields, replaces: replaces !== undefined };
  const intent = link
    ? await intentToPay(context, { admit, restored }, link, page)
    : await intentOfPage(call, fields, attempt);
  await limit('intent', intent.intent_id);
  // The shop decides how many tokens it signs; a page may open any number of intents. A link with a
  // single use opens one intent, however often it is paid by.
  const opensMany = link ? link.row.uses > 1 : fields.order_token === undefined;
  const placed = await place(intent, {
    option,
    customer,
    expect,
    replaces,
    payLink: link?.row,
    trace,
    ...(opensMany && { admit }),
  });
  return { order: await project(context, placed) };
};

async function intentOfPage(
  { about, context }: RequestContext,
  fields: IntentRequest,
  attempt: string,
): Promise<IdentifiedIntent> {
  const intent = await readIntent(
    context.config,
    fields,
    fields.order_token === undefined ? await context.identity.intentIdOf(attempt) : null,
    await context.identity.audiences(context.clock.now()),
    about,
  );
  const { intent_id } = intent;
  if (intent_id === null) throw new Failure('invalid_request', 'attempt is required', 'attempt');
  return { ...intent, intent_id };
}
