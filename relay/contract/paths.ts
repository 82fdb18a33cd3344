/** The paths of the relay's operations, and the bounds that both widget and relay apply. */
export const paths = {
  checkout: '/v1/checkout',
  pay: '/v1/pay',
  query: '/v1/query',
  depositAddress: '/v1/deposit-address',
  orderTokens: '/v1/order-tokens',
  render: '/v1/render',
  payLinks: '/v1/pay-links',
  revokePayLink: '/v1/pay-links/revoke',
  close: '/v1/close',
  orders: '/v1/orders',
  events: '/v1/events',
  resendEvents: '/v1/events/resend',
} as const;

/** The room that RFC 5646 recommends for a language tag; routes/assets.ts has the same bound. */
const MAX_TAG = 35;

/** The file with the texts for a language tag, below the relay's URL. */
export const textsPath = (tag: string): string =>
  `/locales/${tag.replace(/[^\w-]/g, '').slice(0, MAX_TAG)}.json`;

/** The file with the wallets of an option, below the relay's URL. */
export const walletsPath = (option: string): string => `/wallets/${option}.json`;

/** A link to an order for another device; the key is in the fragment, which no server receives. */
export const resumeLink = (
  relay: string,
  { order_key, request_id }: { request_id: string; order_key: string },
): string => `${relay}/r#${request_id}~${order_key}`;

/** Longest wait of a query, in seconds. Many proxies end a silent request after 60 s. */
export const MAX_WAIT_S = 55;

/** Bound of a link, and of the content of a QR code. */
export const MAX_LINK_CHARACTERS = 8192;

/** Version of the contract, raised only when an old widget could misread a new relay's answer. */
export const CONTRACT = 1;
