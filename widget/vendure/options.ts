/** What a shop gives to `PayCheckoutPlugin.init`. */

export type PayCheckoutOptions = {
  /** `public_url` of the relay. */
  relay: string;
  secretKey: string;
  /** A key of `order_token_keys` with `"alg": "HS256"`. */
  tokenKey: { kid: string; secret: string };
  /** The secret of `shop_events`. */
  eventsSecret: string;
  /** What the customer reads above the amount. */
  productName: string;
  /** True where goods are delivered: an order of a relay in mode test then pays nothing. */
  livemode?: boolean | undefined;
  /** When the events of the relay are read, as a cron expression; every minute by default. */
  schedule?: string | undefined;
};

export const PAY_CHECKOUT_OPTIONS: unique symbol = Symbol('pay-checkout options');

/** @throws Error that names the options which are missing or empty, or a mode that is a text */
export function checkOptions(options: PayCheckoutOptions): PayCheckoutOptions {
  const { eventsSecret, livemode, productName, relay, secretKey, tokenKey } = options;
  const needed = {
    relay,
    secretKey,
    'tokenKey.kid': tokenKey?.kid,
    'tokenKey.secret': tokenKey?.secret,
    eventsSecret,
    productName,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0)
    throw new Error(`pay-checkout needs these options too: ${missing.join(', ')}`);
  // a text of the environment, such as "true", equals no mode
  if (livemode !== undefined && typeof livemode !== 'boolean')
    throw new Error('pay-checkout: livemode must be true or false');
  return options;
}
