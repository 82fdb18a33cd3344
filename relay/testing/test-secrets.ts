/** Secrets for tests only: they are published with this package. */
export const TEST_SECRETS = {
  ORDER_TOKEN_KEY: 'order-token-key-for-tests-of-32-bytes',
  RELAY_SECRET_KEY: 'secret-key-for-tests',
  SHOP_EVENTS_SECRET: 'whsec_c2VjcmV0IG9mIGV2ZW50cyBmb3IgdGVzdHM=',
} as const;
