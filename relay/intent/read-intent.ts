/** Turns a page's request into an OrderIntent of one mode, or refuses it. */
import { decodeJwt } from 'jose';
import type { Config } from '../config/schema.js';
import { compareDecimals, multiplyDecimal, plainDecimal } from '../contract/decimal.js';
import { Failure } from '../contract/failure.js';
import type { IntentRequest } from '../contract/requests.js';
import { guestOf } from './identity.js';
import type { OrderIntent } from './order-intent.js';
import { verifyOrderToken, type OrderClaims } from './order-token.js';
import { withReturnUrl } from './return-url.js';

/**
 * @param pageIntentId the intent_id of the page's attempt; null when the page sent no attempt
 * @param audiences the addresses that a token may be for
 * @param about called with the intent of a token, also when the request is then refused
 * @throws Failure naming the field
 */
export async function readIntent(
  config: Config,
  unchecked: IntentRequest,
  pageIntentId: string | null,
  audiences = [config.public_url],
  about: (intentId: string) => void = () => {},
): Promise<OrderIntent> {
  const { order_token } = unchecked;
  if (order_token !== undefined) {
    const { claims, ...age } = await verifyOrderToken(config, order_token, audiences);
    about(claims.jti);
    return intentOfSale(config, unchecked, { intent_id: claims.jti, ...age, ...claims });
  }
  const request = withReturnUrl(config, unchecked);
  checkSize(request);
  if (request.sku !== undefined) return fromCatalogue(config, request, request.sku, pageIntentId);
  if (request.amount !== undefined || request.currency !== undefined)
    return fromOpenAmount(config, request, pageIntentId);
  throw new Failure(
    'invalid_request',
    'one of order_token, sku or amount is required',
    'order_token',
  );
}

/**
 * The configuration as if it allowed what is asked for. It finds the order of a purchase that an
 * earlier configuration allowed.
 *
 * @param terms of a pay link; those of a token are read from it, and must have been verified
 */
export function allowing(
  config: Config,
  request: IntentRequest,
  terms: Pick<IntentRequest, 'return_url'> = termsOf(request),
): Config {
  const { amount, currency, quantity = 1, sku } = request;
  const hosts = [request, terms].flatMap(({ return_url }) =>
    return_url !== undefined && URL.canParse(return_url) ? [new URL(return_url).host] : [],
  );
  // neither the price nor the name is a field of the intent's identity
  const item = { amount: '1', currency: '', product_name: '', max_quantity: quantity };
  const bounds = amount !== undefined && { min: amount, max: amount };
  return {
    ...config,
    catalogue: sku === undefined ? {} : { [sku]: item },
    open_amount: bounds && currency !== undefined ? { [currency]: bounds } : {},
    shop: { ...config.shop, return_hosts: hosts },
  };
}

function termsOf({ order_token }: IntentRequest): Pick<IntentRequest, 'return_url'> {
  try {
    return order_token === undefined ? {} : decodeJwt(order_token);
  } catch {
    return {};
  }
}

/** What the shop's backend sells, by a token or by a pay link. */
export type Sale = Omit<OrderClaims, 'aud' | 'iat' | 'exp' | 'iss' | 'sub' | 'nbf' | 'jti'> &
  Pick<OrderIntent, 'intent_id' | 'expired' | 'stale'>;

type Claims = Omit<Sale, 'intent_id' | 'expired' | 'stale'>;

/** @throws Failure `token_contradicted` or `return_host_refused` */
export function intentOfSale(
  config: Config,
  unchecked: IntentRequest,
  { expired, intent_id, stale, ...terms }: Sale,
): OrderIntent {
  const request = withReturnUrl(config, unchecked);
  const claims = withReturnUrl(config, terms);
  refuseContradiction(request, claims);
  return {
    mode: 'token',
    intent_id,
    sku: null,
    quantity: null,
    amount: claims.amount,
    currency: claims.currency,
    product_name: claims.product_name,
    customer_ref_id: claims.customer_ref_id,
    pay_currency: claims.pay_currency ?? null,
    remark: claims.remark ?? null,
    return_url: claims.return_url ?? request.return_url ?? null,
    options: claims.options ?? null,
    metadata: claims.metadata ?? null,
    expired,
    stale,
    identity_fields: [
      plainDecimal(claims.amount),
      claims.currency,
      claims.product_name,
      claims.customer_ref_id,
      claims.pay_currency ?? null,
      claims.remark ?? null,
      // sorted, because the order of the keys means nothing
      JSON.stringify(Object.entries(claims.metadata ?? {}).sort()),
    ],
  };
}

function refuseContradiction(request: IntentRequest, claims: Claims): void {
  for (const field of ['sku', 'quantity'] as const)
    if (request[field] !== undefined)
      throw new Failure('token_contradicted', `${field} is not allowed beside order_token`, field);
  if (request.amount !== undefined && compareDecimals(request.amount, claims.amount) !== 0)
    throw new Failure('token_contradicted', 'amount contradicts the token', 'amount');
  for (const field of [
    'currency',
    'pay_currency',
    'product_name',
    'remark',
    'customer_ref_id',
    'return_url',
  ] as const)
    if (
      request[field] !== undefined &&
      (field !== 'return_url' || claims.return_url !== undefined) &&
      request[field] !== claims[field]
    )
      throw new Failure('token_contradicted', `${field} contradicts the token`, field);
}

function fromCatalogue(
  config: Config,
  request: IntentRequest,
  sku: string,
  pageIntentId: string | null,
): OrderIntent {
  if (!config.catalogue) throw new Failure('not_configured', 'catalogue is not configured', 'sku');
  for (const field of ['amount', 'currency', 'product_name', 'pay_currency', 'remark'] as const)
    if (request[field] !== undefined)
      throw new Failure('invalid_request', `${field} is not allowed beside sku`, field);
  const item = Object.hasOwn(config.catalogue, sku) ? config.catalogue[sku] : undefined;
  if (!item) throw new Failure('sku_unknown', 'no such sku in the catalogue', 'sku');
  const quantity = request.quantity ?? 1;
  if (quantity < 1 || quantity > item.max_quantity)
    throw new Failure(
      'quantity_out_of_bounds',
      `quantity must be 1 to ${item.max_quantity}`,
      'quantity',
    );
  const customer_ref_id = guest(config, request.customer_ref_id, pageIntentId);
  return {
    mode: 'catalogue',
    intent_id: pageIntentId,
    sku,
    quantity,
    amount: multiplyDecimal(item.amount, quantity),
    currency: item.currency,
    product_name: quantity === 1 ? item.product_name : `${item.product_name} × ${quantity}`,
    customer_ref_id,
    pay_currency: null,
    remark: null,
    return_url: request.return_url ?? null,
    options: null,
    metadata: item.metadata ?? null,
    expired: false,
    stale: false,
    // without the price, so that an order is still resumed after the catalogue changed
    identity_fields: [sku, quantity, customer_ref_id],
  };
}

function fromOpenAmount(
  config: Config,
  request: IntentRequest,
  pageIntentId: string | null,
): OrderIntent {
  if (!config.open_amount)
    throw new Failure('not_configured', 'open_amount is not configured', 'amount');
  const { amount, currency, product_name } = request;
  if (amount === undefined) throw new Failure('invalid_request', 'amount is required', 'amount');
  if (currency === undefined)
    throw new Failure('invalid_request', 'currency is required', 'currency');
  if (product_name === undefined)
    throw new Failure('invalid_request', 'product_name is required', 'product_name');
  if (request.quantity !== undefined)
    throw new Failure('invalid_request', 'quantity is allowed with sku only', 'quantity');
  const bounds = Object.hasOwn(config.open_amount, currency)
    ? config.open_amount[currency]
    : undefined;
  if (!bounds)
    throw new Failure(
      'currency_not_available',
      'currency is not configured for an open amount',
      'currency',
    );
  if (compareDecimals(amount, bounds.min) < 0 || compareDecimals(amount, bounds.max) > 0)
    throw new Failure(
      'amount_out_of_bounds',
      `amount must be ${bounds.min} to ${bounds.max}`,
      'amount',
    );
  const customer_ref_id = guest(config, request.customer_ref_id, pageIntentId);
  return {
    mode: 'open',
    intent_id: pageIntentId,
    sku: null,
    quantity: null,
    amount,
    currency,
    product_name,
    customer_ref_id,
    pay_currency: request.pay_currency ?? null,
    remark: request.remark ?? null,
    return_url: request.return_url ?? null,
    options: null,
    metadata: null,
    expired: false,
    stale: false,
    identity_fields: [
      plainDecimal(amount),
      currency,
      product_name,
      customer_ref_id,
      request.pay_currency ?? null,
      request.remark ?? null,
    ],
  };
}

/** Without a customer_ref_id the intent_id names the guest, so that a retry gives the same name. */
const guest = (config: Config, fromPage: string | undefined, intentId: string | null): string =>
  config.guest_customer_prefix + (fromPage ?? (intentId === null ? '' : guestOf(intentId)));

/**
 * Bound of all texts of a page's intent together. Anybody can open an intent, so a stored one must
 * be small: with its order it stays below 2 KB.
 */
const MAX_PAGE_TEXT_BYTES = 1000;

function checkSize(request: IntentRequest): void {
  const encoder = new TextEncoder();
  const fields = ['product_name', 'remark', 'return_url', 'customer_ref_id', 'sku'] as const;
  const sizes = fields.map((name) => ({
    name,
    bytes: encoder.encode(request[name] ?? '').length,
  }));
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  if (bytes <= MAX_PAGE_TEXT_BYTES) return;
  const longest = sizes.reduce((max, size) => (size.bytes > max.bytes ? size : max));
  throw new Failure(
    'invalid_request',
    `${longest.name}: the texts of a page have at most ${MAX_PAGE_TEXT_BYTES} bytes together`,
    longest.name,
  );
}
