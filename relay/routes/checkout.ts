/** POST /v1/checkout: what the page shows, and the intent's order if it has one. */
import { endpoints } from '../contract/endpoints.js';
import { Failure, failureStatuses, type FailureCode } from '../contract/failure.js';
import { CONTRACT } from '../contract/paths.js';
import type { CheckoutResponse, PaymentOption } from '../contract/responses.js';
import { isSimple, readBody } from '../http/body.js';
import type { OrderIntent } from '../intent/order-intent.js';
import { allowing, readIntent } from '../intent/read-intent.js';
import { allowedReturnUrl } from '../intent/return-url.js';
import { currentOrder, resumeExpired } from '../orders/current-order.js';
import { offeredOptions, whyNoOption } from '../orders/offer.js';
import { project } from '../orders/projection.js';
import { shownOrder } from '../ledger/shown-order.js';
import type { Config } from '../config/schema.js';
import { wordsOfChannel } from '../config/own-words.js';
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Resume } from '../contract/requests.js';
import type { OrderInIntent } from '../ledger/intent.js';
import type { Context } from '../orders/context.js';
import { linkOfRequest, shownIntent } from '../pay-links/link-intent.js';
import { markOf } from './marks.js';
import type { RequestContext, Handler } from './mount.js';

export const checkout: Handler<CheckoutResponse> = async (call) => {
  const { about, address, context, limit, request, restored } = call;
  const { config } = context;
  const admit = (): Promise<void> => limit('new_intent', address);
  if (isSimple(request)) await checkSimple(call);
  const { attempt, resume, ...fields } = await readBody(request, endpoints.checkout.request, true);
  if (resume) return resumedCheckout(call, resume);
  // without a token, the page's attempt identifies the intent
  const isPageIntent = fields.order_token === undefined && attempt !== undefined;
  const link = await linkOfRequest(context, fields);
  const intentId = isPageIntent ? await context.identity.intentIdOf(attempt) : null;
  const audiences = await context.identity.audiences(context.clock.now());
  const read = (config: Config): Promise<OrderIntent> =>
    link
      ? shownIntent({ ...context, config }, { admit, restored }, link, { fields, attempt })
      : readIntent(config, fields, intentId, audiences, about);
  const find = async (intent: OrderIntent): Promise<OrderInIntent | null> => {
    await limit('intent', intent.intent_id ?? undefined);
    // after a restore from a backup, the service may know orders that the ledger lacks
    if (intent.intent_id !== null) await restored.adoptBeforeShown(intent.intent_id);
    return intent.expired ? resumeExpired(context, intent, false) : currentOrder(context, intent);
  };
  const intent = await read(config).catch((error: unknown) =>
    foundDespite(error, async () => find(await read(allowing(config, fields, link?.terms)))),
  );
  if ('order' in intent) return orderCheckout(context, intent);
  const found = await find(intent);
  // options are offered for the present price, because a replacement would charge it
  const offer = context.offer();
  const options = offeredOptions(offer, intent);
  if (options.length === 0)
    context.log('warn', 'no_option', {
      intent_id: intent.intent_id,
      message: whyNoOption(offer, intent),
    });
  // in mode catalogue, the name at the sale: the catalogue may have another name now
  const { product_name } = found && intent.mode === 'catalogue' ? found.intent : intent;
  return shownCheckout(context, { ...intent, product_name, options }, found);
};

/**
 * Checks a request that came without a preflight. Nothing but its origin tells it from the request
 * of a foreign page, so it must cause no query of the service.
 *
 * @throws Failure `content_type_refused` when the page must ask with JSON
 */
async function checkSimple({ request, restored }: RequestContext): Promise<void> {
  if (request.headers.get('origin') === null)
    throw new Failure(
      'content_type_refused',
      'text/plain is taken only with the origin of a page; send application/json',
    );
  if (await restored.asksFirst())
    throw new Failure(
      'content_type_refused',
      'the ledger was restored, so the service is asked first; send application/json',
    );
}

/** From this HTTP status on, a failure says nothing about the purchase, and the page asks again. */
const TRY_AGAIN = 429;

/** Refusals of what an earlier configuration may have allowed. */
const BY_CONFIGURATION: readonly FailureCode[] = [
  'amount_out_of_bounds',
  'currency_not_available',
  'not_configured',
  'quantity_out_of_bounds',
  'return_host_refused',
  'sku_unknown',
];

/**
 * Finds the order of a purchase that only the present configuration refuses, because the customer
 * may have paid for it.
 *
 * @param find finds it as if the configuration allowed the purchase
 * @throws the error of the refusal when there is no such order
 */
async function foundDespite(
  error: unknown,
  find: () => Promise<OrderInIntent | null>,
): Promise<OrderInIntent> {
  if (!(error instanceof Failure) || !BY_CONFIGURATION.includes(error.code)) throw error;
  const found = await find().catch((reason: unknown) => {
    if (reason instanceof Failure && failureStatuses[reason.code] < TRY_AGAIN) return null;
    throw reason;
  });
  if (!found) throw error;
  return found;
}

/**
 * Answers a page that resumes an order on another device. The answer has the order that a page sees
 * for the intent, else the resumed one. It has no options, because that device can read the order
 * but not replace it.
 */
async function resumedCheckout(
  { context, limit, restored }: RequestContext,
  { order_key, request_id }: Resume,
): Promise<CheckoutResponse> {
  const allowed = await context.capabilities.verify('order', request_id, order_key);
  const known = allowed ? await context.ledger.find(request_id) : null;
  if (known) {
    await limit('intent', known.order.intent_id);
    await restored.adoptBeforeShown(known.order.intent_id);
  } else if (allowed) await restored.refuseLost(request_id);
  // read after the adoption, which may have found a payment
  const found = known && (await context.ledger.find(request_id));
  if (!found)
    throw allowed
      ? new Failure('order_unknown', 'the relay no longer has this order')
      : new Failure('order_unknown', 'no such order, or not by this order_key', 'resume');
  const { intent, order } = found;
  return orderCheckout(context, { intent, order: shownOrder(context.config, intent) ?? order });
}

/** The answer to a page that can read the order but not replace it. */
const orderCheckout = (context: Context, found: OrderInIntent): Promise<CheckoutResponse> => {
  const { intent, order } = found;
  const return_url = allowedReturnUrl(context.config, intent.return_url);
  return shownCheckout(
    context,
    { ...intent, amount: order.amount, return_url, options: [] },
    found,
  );
};

type Shown = {
  amount: string;
  currency: string;
  product_name: string;
  remark: string | null;
  return_url: string | null;
  options: PaymentOptionConfig[];
};

/**
 * The answer to a page: what is charged, the ways to pay, and the order if there is one. JSON has
 * no field that is undefined.
 */
export const shownCheckout = async (
  context: Context,
  { amount, currency, options, product_name, remark, return_url }: Shown,
  found: OrderInIntent | null,
): Promise<CheckoutResponse> => {
  const { links, mode, options: all, shop, texts } = context.config;
  const isOfOrder = ({ id }: PaymentOptionConfig): boolean => id === found?.order.option;
  const orderOption = options.some(isOfOrder) ? undefined : all.find(isOfOrder);
  return {
    contract: CONTRACT,
    checkout: {
      amount,
      currency,
      product_name,
      remark: remark ?? undefined,
      options: options.map((option) => asShown(option, context.config)),
      livemode: mode === 'live',
      shop_name: shop.name,
      support_url: shop.support_url,
      logo_url: shop.logo_url,
      image_hosts: shop.image_hosts.length > 0 ? shop.image_hosts : undefined,
      return_url: return_url ?? undefined,
      link_schemes: links.schemes,
      texts: unlessEmpty(texts),
      order_option: orderOption && asShown(orderOption, context.config),
    },
    order: found ? await project(context, found) : undefined,
  };
};

const unlessEmpty = <T extends object>(words: T): T | undefined =>
  Object.keys(words).length > 0 ? words : undefined;

/** Each option as a page sees it, which is made once. */
const shownOptions = new WeakMap<PaymentOptionConfig, PaymentOption>();

function asShown(option: PaymentOptionConfig, config: WithUrl): PaymentOption {
  const shown = shownOptions.get(option) ?? toShown(option, config);
  shownOptions.set(option, shown);
  return shown;
}

type WithUrl = Pick<Config, 'public_url' | 'texts'>;

const toShown = (option: PaymentOptionConfig, { public_url, texts }: WithUrl): PaymentOption => {
  const { customer, id, label, payment_channel, payment_method, payment_type } = option;
  const mark = markOf(option);
  // the element prefers these words to a text of the shop
  const channelWords = Object.entries(wordsOfChannel(payment_channel) ?? {}).flatMap(
    ([key, word]) => {
      const own = texts[key];
      if (typeof own === 'string') return [];
      return [[key, typeof word === 'object' ? { ...word, ...own } : word] as const];
    },
  );
  return {
    id,
    label,
    payment_method,
    payment_type,
    payment_channel,
    customer,
    icon_url: option.icon_url ?? (mark === null ? undefined : `${public_url}/${mark}`),
    phone_action: option.phone_action,
    words: unlessEmpty({ ...Object.fromEntries(channelWords), ...option.words }),
    wallets: option.wallets && true,
  };
};
