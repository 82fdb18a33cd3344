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
  /** When the events of the relay are read, as a cron expression; every minute by default. */
  schedule?: string;
};

export const PAY_CHECKOUT_OPTIONS: unique symbol = Symbol('pay-checkout options');

/** @throws Error that names the options which are missing or empty */
export function checkOptions(options: PayCheckoutOptions): PayCheckoutOptions {
  const { eventsSecret, productName, relay, secretKey, tokenKey } = options;
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
  return options;
}
