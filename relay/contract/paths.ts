/**
 * Where widget and relay meet: one path per operation of the relay's interface, and the bounds that
 * both keep.
 */
export const paths = {
  checkout: '/v1/checkout',
  pay: '/v1/pay',
  query: '/v1/query',
  depositAddress: '/v1/deposit-address',
  orderTokens: '/v1/order-tokens',
} as const;

/** Characters of a link or a QR code's content. */
export const MAX_LINK_CHARACTERS = 8192;

/** Version of the contract; raised only when an old widget could misread a new relay. */
export const CONTRACT = 1;
