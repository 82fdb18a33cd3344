/** Where widget and relay meet: one path per operation of the relay's interface. */
export const paths = {
  checkout: '/v1/checkout',
  pay: '/v1/pay',
  query: '/v1/query',
  depositAddress: '/v1/deposit-address',
  orderTokens: '/v1/order-tokens',
} as const;

/** Version of the contract; raised only when an old widget could misread a new relay. */
export const CONTRACT = 1;
