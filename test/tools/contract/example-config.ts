/** A configuration with every field, from which the reference takes its examples. */
import { parseConfig } from '../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../relay/config/schema.js';

export const exampleConfig: ConfigFile = {
  $schema: './node_modules/pay-checkout-relay/dist/config.schema.json',
  mode: 'live',
  service: {
    base_url: 'https://service.example',
    headers: { 'x-api-key': { env: 'ORDER_SERVICE_KEY' } },
    timeout_ms: 10_000,
    queries_per_second: 20,
    connections: 256,
    idle_ms: 500,
    not_found_codes: ['CODE_WHEN_UNKNOWN'],
    resend_after_s: 5,
    require_echo: true,
    sign: ({ path }) => ({ 'x-signed-path': path }),
    notify_ack: 'OK',
  },
  shop: {
    name: 'Bean & Leaf',
    origins: ['https://shop.example'],
    return_hosts: ['shop.example'],
    support_url: 'https://shop.example/help',
    logo_url: 'https://shop.example/logo.svg',
    image_hosts: ['cdn.shop.example'],
  },
  public_url: 'https://shop.example/pay',
  ledger: { env: 'LEDGER' },
  ledger_hints: 'postgres://relay@database.internal/pay',
  options: [
    {
      id: 'pix',
      label: { en: 'Pix', pt: 'Pix' },
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'pix',
      currencies: ['BRL'],
      pay_currency: 'BRL',
      min: '10',
      max: '60000',
      customer: ['phone'],
      expires_after_s: 900,
      icon_url: 'https://cdn.shop.example/pix.svg',
      phone_action: 'copy',
      words: { copy_code: { en: 'Copy Pix code' }, scan: { en: 'Scan with your bank’s app' } },
      code: { check: 'required', payees: ['BEAN AND LEAF LTDA'] },
      wallets: [
        {
          name: 'Sber',
          icon_url: 'https://cdn.shop.example/sber.svg',
          https: 'https://bank.pay.example/sbp',
          scheme: 'sberpay',
          android_package: 'ru.sberbankmobile',
        },
      ],
      enabled: true,
    },
    {
      id: 'usdt',
      label: 'USDT (Ethereum)',
      payment_method: 'on_line',
      payment_channel: 'usdt_erc20',
      pay_currency: 'USDT',
      code: { token: { contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7@1', decimals: 6 } },
    },
  ],
  deposits: [
    {
      currency: 'XLM',
      label: 'Stellar',
      network: 'Stellar',
      tag_label: 'Memo',
      uri_family: 'stellar',
      memo_type: 'MEMO_ID',
      verify: true,
      minimum: '1',
    },
    { currency: 'ETH', network: 'Ethereum', uri_family: 'ethereum', chain_id: 1 },
  ],
  statuses: { STATUS_WHEN_PAID: 'succeeded', STATUS_WHEN_FAILED: 'failed' },
  links: { hosts: ['pay.example', '*.pay.example'], schemes: ['sberpay'] },
  catalogue: {
    tee: {
      amount: '19.90',
      currency: 'USD',
      product_name: 'T-shirt',
      max_quantity: 5,
      metadata: { shelf: '7' },
    },
  },
  open_amount: { USD: { min: '1', max: '500' } },
  open_deposits: true,
  guest_customer_prefix: 'eu-web-',
  order_token_keys: [
    { kid: 'k1', alg: 'HS256', secret: { env: 'ORDER_TOKEN_KEY' } },
    { kid: 'e1', alg: 'EdDSA', public_key: { file: 'shop.pem' } },
  ],
  capability_keys: [{ kid: 'c1', secret: { env: 'CAPABILITY_KEY' } }],
  secret_key: [{ file: 'secrets/new-secret-key' }, { file: 'secrets/secret-key' }],
  request_id_key: { env: 'REQUEST_ID_KEY' },
  operator: {
    port: 9090,
    key: { env: 'OPERATOR_KEY' },
    keys: [{ name: 'Ann', key: { env: 'KEY_OF_ANN' }, role: 'read' }],
    keys_always_open: false,
    hosts: ['ops.shop.example'],
  },
  shop_events: {
    url: 'https://shop.example/hooks/pay',
    secret: { env: 'SHOP_EVENTS_SECRET' },
    unpaid_after_s: 3600,
  },
  limits: {
    per_ip_per_minute: 120,
    per_intent_per_minute: 120,
    deposit_addresses_per_minute: 10,
    new_intents_per_ip_per_hour: 60,
    trusted_hops: 1,
    follow_days: 3,
    retention_days: 400,
  },
  texts: { pay: { en: 'Pay now', de: 'Jetzt bezahlen' } },
};

/**
 * Examples name no status of a real service, because a reader could copy it. This gives numbers to
 * the names that stand in place of the statuses, so that the relay accepts the example.
 */
export function withNumbers(config: object): object {
  const { statuses = {} } = config as { statuses?: object };
  const named = Object.values(statuses).map((outcome, index) => [String(index + 50), outcome]);
  return { ...config, statuses: Object.fromEntries(named) as object };
}

const SECRET = 'a-secret-of-at-least-thirty-two-bytes';
const PEM = '-----BEGIN PUBLIC KEY-----\na key\n-----END PUBLIC KEY-----';

/** @throws ConfigError when the example is not accepted */
export const parsedExample = (): Config =>
  parseConfig(withNumbers(exampleConfig), (reference) => {
    if ('file' in reference) return PEM;
    return reference.env === 'LEDGER' ? 'sqlite:pay-checkout.db' : SECRET + reference.env;
  });

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !('env' in value) && !('file' in value);

/** @returns the values at a path; `*` stands for every index or name */
function valuesAt(path: string, value: unknown): unknown[] {
  if (path === '') return [value];
  if (!isGroup(value)) return [];
  const [name = '', ...rest] = path.split('.');
  const below = rest.join('.');
  if (name === '*') return Object.values(value).flatMap((each) => valuesAt(below, each));
  return Object.hasOwn(value, name) ? valuesAt(below, value[name]) : [];
}

/** A longer value is a group, whose fields have examples of their own. */
const MAX_CHARACTERS = 90;

/**
 * @returns the field of this path as it is written into the file; empty for a group; null when the
 *   example lacks the field
 */
export function exampleOf(path: string): string | null {
  const [value] = valuesAt(path, exampleConfig);
  if (value === undefined) return null;
  if (typeof value === 'function') return 'sign: ({ path, json }) => headers';
  const text = JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? '' : `${JSON.stringify(path.split('.').at(-1))}: ${text}`;
}
