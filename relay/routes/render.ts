/**
 * POST /v1/render: the element as HTML, with the order of a customer who has pressed "pay" in the
 * shop's own form. The call places the order as /v1/pay does, so that a repeated call shows the
 * same order.
 */
import { readIntent } from '../intent/read-intent.js';
import type { Order } from '../contract/order.js';
import type { OrderInIntent } from '../ledger/intent.js';
import { currentOrder, resumeExpired } from '../orders/current-order.js';
import type { IdentifiedIntent } from '../orders/new-order.js';
import { offeredOptions } from '../orders/offer.js';
import { isLinkToken } from '../pay-links/pay-link.js';
import { Failure } from '../contract/failure.js';
import { shownCheckout } from './checkout.js';
import type { BackendHandler, RequestContext } from './mount.js';

type Rendered = { html: string; order?: Order | undefined };

export const render: BackendHandler<'render', Rendered> = async (call, body) => {
  const { about, context, loadRender } = call;
  const { locale, nonce, option, order_token, styles } = body;
  if (isLinkToken(order_token))
    throw new Failure('token_invalid', 'the token of a pay link is not rendered', 'order_token');
  // loaded first, because an order that cannot be shown must not be placed
  const renderElement = await loadRender();
  const audiences = await context.identity.audiences(context.clock.now());
  const requested = await readIntent(context.config, { order_token }, null, audiences);
  const { intent_id } = requested;
  if (intent_id === null)
    throw new Failure('token_invalid', 'the token names no intent', 'order_token');
  about(intent_id);
  const intent = { ...requested, intent_id };
  const found = await orderOf(call, intent, option);
  const options = offeredOptions(context.offer(), intent);
  const answer = await shownCheckout(context, { ...intent, options }, found);
  const html = await renderElement({
    answer,
    locale,
    option,
    orderToken: order_token,
    relay: context.config.public_url,
    inlineStyles: styles === 'inline',
    nonce,
  });
  return { html, order: answer.order };
};

/** @returns null when the customer has to choose a way to pay */
async function orderOf(
  { context, place, restored }: RequestContext,
  intent: IdentifiedIntent,
  option: string | undefined,
): Promise<OrderInIntent | null> {
  if (option !== undefined) return place(intent, { option });
  await restored.adoptBeforeShown(intent.intent_id);
  if (intent.expired) return resumeExpired(context, intent, false);
  const found = await currentOrder(context, intent);
  if (found) return found;
  const [only, ...others] = offeredOptions(context.offer(), intent);
  // an option that needs the customer's data is chosen in the element, which asks for the data
  if (!only || others.length > 0 || only.customer) return null;
  return place(intent, { option: only.id });
}
