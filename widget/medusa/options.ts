/** Reads the plugin's options from a shop's medusa-config.ts. Nothing here needs Medusa to run. */

export const PACKAGE = 'pay-checkout-medusa';
const PROVIDER = `${PACKAGE}/providers/pay-checkout`;
const EVERY_MINUTE = '* * * * *';

/** The options of the payment provider. */
export type ProviderOptions = {
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
};

/** The options of the plugin. */
export type PluginOptions = {
  /**
   * Whether the plugin registers its workflow hooks; true by default. A workflow accepts one
   * handler for each hook, so a shop with a handler of its own registers all of them itself.
   */
  hooks: boolean;
  /** When the events of the relay are read, as a cron expression; every minute by default. */
  schedule: string;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * @param plugins the list in medusa-config.ts
 * @throws Error when an option has another type
 */
export function pluginOptions(plugins: readonly unknown[]): PluginOptions {
  const plugin = plugins.filter(isObject).find(({ resolve }) => resolve === PACKAGE);
  const { hooks = true, schedule = EVERY_MINUTE } = isObject(plugin?.options) ? plugin.options : {};
  if (typeof hooks !== 'boolean') throw new Error(`${PACKAGE}: hooks must be true or false`);
  if (typeof schedule !== 'string')
    throw new Error(`${PACKAGE}: schedule must be a cron expression`);
  return { hooks, schedule };
}

/** @returns the names of the options that the provider needs and does not have */
export function missingOptions(options: Partial<ProviderOptions>): string[] {
  const { eventsSecret, productName, relay, secretKey, tokenKey } = options;
  const needed = {
    relay,
    secretKey,
    'tokenKey.kid': tokenKey?.kid,
    'tokenKey.secret': tokenKey?.secret,
    eventsSecret,
    productName,
  };
  return Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
}

/** @throws Error when it is a text, such as "true" of the environment, which equals no mode */
export function readMode(livemode: unknown): boolean | undefined {
  if (livemode === undefined || typeof livemode === 'boolean') return livemode;
  throw new Error(`${PACKAGE}: livemode must be true or false`);
}

/**
 * Finds the relay where medusa-config.ts names it, in the options of the provider.
 *
 * @param paymentModule what medusa-config.ts says about Medusa's payment module
 * @throws Error when the payment module does not have the provider, or its mode is a text
 */
export function relayOf(paymentModule: unknown): {
  relay: string;
  secret_key: string;
  livemode?: boolean | undefined;
} {
  const options = isObject(paymentModule) ? paymentModule.options : undefined;
  const providers: unknown = isObject(options) ? options.providers : undefined;
  const provider = (Array.isArray(providers) ? providers : [])
    .filter(isObject)
    .find(({ resolve }) => resolve === PROVIDER);
  const { livemode, relay, secretKey } = isObject(provider?.options) ? provider.options : {};
  if (typeof relay !== 'string' || typeof secretKey !== 'string')
    throw new Error(`${PACKAGE}: the payment module has no provider ${PROVIDER} with its options`);
  return { relay, secret_key: secretKey, livemode: readMode(livemode) };
}
