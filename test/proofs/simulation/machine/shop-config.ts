/** The configuration of one simulated shop's relays. */
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import type { WorldPlan } from '../plan.js';
import { STATUS } from '../service/statuses.js';

/** Stands in all metadata, so that metadata is found in any text. */
export const METADATA_MARK = 'for the shop alone';

type Product = { amount: string; product_name: string; metadata?: Record<string, string> };
export const PRODUCTS: Readonly<Record<string, Product>> = {
  tee: { amount: '19.90', product_name: 'T-shirt' },
  mug: { amount: '7.25', product_name: 'Mug', metadata: { shelf: `B-7, ${METADATA_MARK}` } },
};
export const CURRENCY = 'USD';
export const MAX_QUANTITY = 5;
/** The ways to pay, with the channel by which the service's model chooses a link. */
export const OPTIONS = ['qr', 'wallet', 'card', 'asks'] as const;
export const TIMEOUT_MS = 10_000;
/** How long the service takes a payment by a code of the option `qr`. */
export const CODE_EXPIRES_AFTER_S = 200;

/** Secrets and addresses of one shop. */
export type ShopSetup = {
  readonly name: string;
  readonly origin: string;
  readonly publicUrl: string;
  readonly tokenSecret: string;
  readonly secretKey: string;
  readonly eventSecret: string;
  readonly config: Config;
};

export function setUpShop(
  name: string,
  { followDays, queriesPerSecond, resendAfterS, unpaidAfterS }: WorldPlan,
): ShopSetup {
  const host = `${name}.example`;
  const secrets: Record<string, string> = {
    TOKEN: `order-token-key-of-${name}-with-32-bytes`,
    SECRET: `secret-key-of-${name}`,
    EVENTS: `event-secret-of-${name}`,
    REQUEST_ID: `request-id-key-of-${name}-with-32-bytes`,
  };
  const file: ConfigFile = {
    mode: 'test',
    service: {
      base_url: 'https://service.example',
      timeout_ms: TIMEOUT_MS,
      queries_per_second: queriesPerSecond,
      not_found_codes: ['4040'],
      resend_after_s: resendAfterS,
    },
    shop: { name, origins: [`https://${host}`], return_hosts: [host] },
    public_url: `https://${host}/pay`,
    ledger: 'memory:',
    options: [
      {
        id: 'qr',
        label: 'QR code',
        ...direct('qrcode', 'qr'),
        expires_after_s: CODE_EXPIRES_AFTER_S,
      },
      { id: 'wallet', label: 'Wallet', ...direct('wallet', 'wallet') },
      { id: 'card', label: 'Card', payment_method: 'on_line' },
      { id: 'asks', label: 'By phone', payment_method: 'on_line', customer: ['phone'] },
    ],
    statuses: {
      [STATUS.paid]: 'succeeded',
      [STATUS.declined]: 'failed',
      [STATUS.expired]: 'expired',
    },
    links: { hosts: ['pay.example'], schemes: ['bankapp'] },
    catalogue: Object.fromEntries(
      Object.entries(PRODUCTS).map(([sku, product]) => [
        sku,
        { ...product, currency: CURRENCY, max_quantity: MAX_QUANTITY },
      ]),
    ),
    limits: { follow_days: followDays },
    open_amount: { [CURRENCY]: { min: '1', max: '500' } },
    order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } }],
    secret_key: { env: 'SECRET' },
    request_id_key: { env: 'REQUEST_ID' },
    shop_events: {
      url: `https://${host}/events`,
      secret: { env: 'EVENTS' },
      ...(unpaidAfterS !== null && { unpaid_after_s: unpaidAfterS }),
    },
  };
  return {
    name,
    origin: `https://${host}`,
    publicUrl: file.public_url,
    tokenSecret: secrets.TOKEN ?? '',
    secretKey: secrets.SECRET ?? '',
    eventSecret: secrets.EVENTS ?? '',
    config: parseConfig(file, (reference) =>
      'env' in reference ? secrets[reference.env] : undefined,
    ),
  };
}

const direct = (payment_type: string, payment_channel: string) =>
  ({ payment_method: 'direct', payment_type, payment_channel }) as const;
