/** The requests of the shop's backend to the relay. Every function throws RelayError. */
import type {
  CloseRequest,
  OrderTokenRequest,
  RenderRequest,
} from '../../relay/contract/backend-requests.js';
import type {
  PayLinkRequest,
  PayLinkResponse,
  RevokePayLinkResponse,
} from '../../relay/contract/pay-links.js';
import type { IntentRequest } from '../../relay/contract/requests.js';
import type {
  BackendOrder,
  CheckoutResponse,
  CloseResponse,
  OrderTokenResponse,
} from '../../relay/contract/responses.js';
import { checkMode } from './event.js';
import { post, postForHtml, RelayError, type RelayAccess } from './relay-request.js';

/**
 * Lets the relay sign an order token for the element's `order-token`; the token says what one
 * customer is to pay. A backend that holds the private key can use `signOrderToken` instead.
 *
 * @param sale `expires_in` is in seconds, at most 24 hours
 * @throws RelayError, for example `invalid_request` with the name of a wrong field
 */
export const createOrderToken = (
  access: RelayAccess,
  sale: OrderTokenRequest,
): Promise<OrderTokenResponse> => post(access, '/v1/order-tokens', sale, { field: 'order_token' });

/**
 * Fetches an order, paid or unpaid: deliver only when its `outcome` is `succeeded`.
 *
 * @param options `expect` is what the shop charged; the relay answers `not_as_expected` for another
 *   amount, and for an order that is paid after a person resolved it as failed. Write
 *   `livemode: true` where goods are delivered: an order of mode test, in which no money moves, is
 *   then refused as `wrong_mode`. By default orders of both modes are returned.
 * @returns the current order of the intent, and all its orders
 * @throws RelayError, for example `order_unknown`, `not_as_expected` or `intent_closed`; TypeError
 *   when `livemode` is no boolean
 */
export async function fetchOrder(
  access: RelayAccess,
  which: { intent_id: string } | { request_id: string },
  options: {
    expect?: { amount: string; currency: string } | undefined;
    livemode?: boolean | undefined;
  } = {},
): Promise<{ order: BackendOrder; orders: BackendOrder[] }> {
  const { expect, livemode } = options;
  checkMode(livemode);
  const request = { ...which, ...(expect && { expect }) };
  const found = await post<{ order: BackendOrder; orders: BackendOrder[] }>(
    access,
    '/v1/query',
    request,
    { field: 'order' },
  );
  if (livemode === undefined || found.order.livemode === livemode) return found;
  const mode = livemode ? 'live' : 'test';
  throw new RelayError('wrong_mode', 200, `/v1/query: the order is not of mode ${mode}`);
}

/**
 * Closes an intent that the shop can or will no longer sell: it takes no order any more.
 *
 * @throws RelayError `already_paid` when it is paid
 */
export const closeIntent = (access: RelayAccess, closed: CloseRequest): Promise<CloseResponse> =>
  post(access, '/v1/close', closed, { field: 'closed_at' });

/**
 * Makes the address of a page that holds the checkout and nothing else, for mails, chats and bills.
 *
 * @param sale `expires_in` is in seconds, at most 90 days; `uses` is 1 by default
 * @throws RelayError, for example `already_paid` when the intent of its `jti` is paid
 */
export const createPayLink = (
  access: RelayAccess,
  sale: PayLinkRequest,
): Promise<PayLinkResponse> => post(access, '/v1/pay-links', sale, { field: 'url' });

/** Revokes a pay link: it places no order any more; an order that exists can still be paid. */
export const revokePayLink = (
  access: RelayAccess,
  { pay_link_id }: Pick<PayLinkResponse, 'pay_link_id'>,
): Promise<RevokePayLinkResponse> =>
  post(access, '/v1/pay-links/revoke', { pay_link_id }, { field: 'revoked_at' });

/**
 * Places the order and renders its card. Call it only when the customer has pressed "pay".
 *
 * @returns HTML for the shop's page, to be written unchanged and unescaped
 * @throws RelayError, for example `customer_data_required`
 */
export const renderCheckout = (access: RelayAccess, order: RenderRequest): Promise<string> =>
  postForHtml(access, '/v1/render', order, '<pay-checkout');

/**
 * Longest wait for the answer, so that a slow relay does not delay the shop's page: without the
 * child the element asks the relay itself.
 */
const MAX_CHILD_WAIT_MS = 2000;

/**
 * Fetches the relay's first answer for the element, as an HTML block to write inside
 * `<pay-checkout>`. The element then starts without a request. It places no order.
 *
 * @param intent the fields of the element's attributes, for example `{ order_token }`
 * @returns the HTML; empty when the intent already has an order, because only the relay itself may
 *   send an order to a page
 * @throws RelayError, for example `token_invalid`, or after 2 s `no_answer`: write no child then
 */
export async function checkoutChild(access: RelayAccess, intent: IntentRequest): Promise<string> {
  const answer = await post<CheckoutResponse>(access, '/v1/checkout', intent, {
    field: 'checkout',
    waitMs: MAX_CHILD_WAIT_MS,
  });
  if (answer.order) return '';
  // "</script>" in a name would end the script
  const json = JSON.stringify({ intent, answer }).replaceAll('<', '\\u003c');
  return `<script type="application/json">${json}</script>`;
}
