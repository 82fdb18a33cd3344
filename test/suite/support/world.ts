/** A complete relay and sandbox in one process or one browser tab, without a port or a mock. */
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
} from '../../../relay/sandbox/sandbox.js';
import { createRelay, type Relay, type RelayOptions } from '../../../relay/app.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../relay/config/schema.js';
import type { Limiter } from '../../../relay/http/rate.js';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import { createIdentity, type Identity } from '../../../relay/intent/identity.js';
import { memoryLedger } from '../../../relay/ledger/memory-ledger.js';
import { fetchSend } from '../../../relay/order-service/send/fetch-send.js';
import { systemClock, type Clock, type Log } from '../../../relay/runtime.js';

export { until } from './wait.js';

export const ORIGIN = 'https://shop.example';
export const SECRETS: Record<string, string> = {
  TOKEN: 'order-token-key-of-the-tests-32-bytes',
  SECRET: 'secret-key-of-the-tests',
};

/** Reads the secrets of a test's configuration, as `parseConfig` asks for them. */
export const readSecret = (reference: { env: string } | { file: string }): string | undefined =>
  'env' in reference ? SECRETS[reference.env] : undefined;

export const testConfig: ConfigFile = {
  mode: 'test',
  service: { base_url: 'https://service.example', not_found_codes: ['4040'] },
  shop: { name: 'Shop', origins: [ORIGIN], return_hosts: ['shop.example'] },
  public_url: 'https://shop.example/pay',
  ledger: 'memory:',
  options: [
    {
      id: 'qr',
      label: 'QR code',
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'sbp_qr',
    },
    {
      id: 'qr_page',
      label: 'QR page',
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'bank_page',
    },
    {
      id: 'account',
      label: 'Bank transfer',
      payment_method: 'direct',
      payment_type: 'virtual_account',
      payment_channel: 'bank',
    },
    {
      id: 'wallet',
      label: 'Wallet',
      payment_method: 'direct',
      payment_type: 'wallet',
      payment_channel: 'sbp',
    },
    {
      id: 'wallet_page',
      label: 'Wallet page',
      payment_method: 'direct',
      payment_type: 'wallet',
      payment_channel: 'sber_bank',
    },
    { id: 'card', label: { en: 'Card', ru: 'Карта' }, payment_method: 'on_line' },
    { id: 'chain', label: 'Crypto', payment_method: 'on_chain', pay_currency: 'USDT' },
    { id: 'chain_wait', label: 'Crypto, no link', payment_method: 'on_chain', pay_currency: 'BTC' },
    { id: 'asks', label: 'Asks for a phone', payment_method: 'on_line', customer: ['phone'] },
    { id: 'large', label: 'Large amounts', payment_method: 'on_line', min: '400' },
    { id: 'euro', label: 'Euro only', payment_method: 'on_line', currencies: ['EUR'] },
  ],
  deposits: [
    { currency: 'XRP', network: 'XRP Ledger', tag_label: 'Destination tag', minimum: '1' },
    { currency: 'BTC' },
  ],
  statuses: { '20': 'succeeded', '30': 'failed', '40': 'expired' },
  links: { hosts: ['service.example'], schemes: [] },
  catalogue: {
    tee: { amount: '19.90', currency: 'USD', product_name: 'T-shirt', max_quantity: 5 },
  },
  open_amount: { USD: { min: '1', max: '500' } },
  open_deposits: true,
  order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } }],
  secret_key: { env: 'SECRET' },
};

const startedAt = Date.now();
/** No time passes, so that no machine is too slow for a relay that places orders in time. */
export const stillClock: Clock = { ...systemClock, now: () => startedAt, elapsed: () => 0 };

export type World = {
  relay: Relay;
  sandbox: Sandbox;
  ledger: Ledger;
  log: { level: string; event: string; fields: Record<string, unknown> }[];
  /** Sends a POST request to the relay, as a page of the shop does. */
  ask(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> & { order?: WireOrder } }>;
  /** The bodies of the pays that the service received. */
  pays(): Record<string, unknown>[];
};
type WireOrder = {
  request_id: string;
  intent_id: string;
  order_key: string;
  outcome: string;
  status: number | null;
  next_action: { kind: string; qrcode_string?: string } | null;
  amount: string;
  late: boolean;
  other_payable: boolean;
  paid_by?: string;
  replaced?: boolean;
  closed?: boolean;
  version?: number;
};

type Options = {
  config?: Partial<ConfigFile>;
  ledger?: Ledger;
  sandbox?: Sandbox;
  sandboxOptions?: Partial<SandboxOptions>;
  clock?: RelayOptions['clock'];
  shopFetch?: (url: string, init: RequestInit) => Promise<Response>;
  limiter?: Limiter;
  metrics?: RelayOptions['metrics'];
  loadRender?: RelayOptions['loadRender'];
  hints?: RelayOptions['hints'];
  assets?: RelayOptions['assets'];
};

export function createWorld({
  config,
  ledger = memoryLedger(),
  sandbox: existingSandbox,
  sandboxOptions,
  clock = systemClock,
  shopFetch,
  limiter,
  metrics,
  loadRender,
  hints,
  assets,
}: Options = {}): World {
  const log: World['log'] = [];
  const write: Log = (level, event, fields = {}) => void log.push({ level, event, fields });
  const parsed = parseConfig({ ...testConfig, ...config }, readSecret);
  const world: { relay?: Relay } = {};
  // the shop's proxy strips the path of public_url, so the webhooks of the sandbox lose it here
  const notify = async (url: string, init: RequestInit): Promise<unknown> =>
    world.relay?.fetch(new Request(url.replace('/pay/v1/', '/v1/'), init));
  const sandbox =
    existingSandbox ??
    createSandbox({ publicUrl: 'https://service.example', notify, ...sandboxOptions });
  const send = fetchSend({
    baseUrl: parsed.service.base_url,
    // it ends with its signal, as the fetch of a runtime does
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        sandbox.fetch(new Request(url, init)).then(resolve, reject);
      }),
  });
  const relay = createRelay({
    config: parsed,
    ledger,
    send,
    log: write,
    clock,
    fetch: shopFetch,
    limiter,
    metrics,
    ...(loadRender && { loadRender }),
    ...(hints && { hints }),
    ...(assets && { assets }),
  });
  world.relay = relay;
  return {
    relay,
    sandbox,
    ledger,
    log,
    ask: async (path, body, headers = {}) => {
      const response = await relay.fetch(postRequest(path, body, headers));
      return {
        status: response.status,
        body: (await response.json()) as Awaited<ReturnType<World['ask']>>['body'],
      };
    },
    pays: () =>
      sandbox.calls
        .filter(({ operation }) => operation === 'pay')
        .map(({ body }) => body as Record<string, unknown>),
  };
}

/** The identifiers that a relay with `testConfig` derives on this ledger. */
export const identityOn = (ledger: Ledger): Identity =>
  createIdentity(parseConfig(testConfig, readSecret), ledger);

/** A request of the shop's page; a text is sent as it is, anything else as JSON. */
export const postRequest = (
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Request =>
  new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export const openIntent = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
export const bearer = { authorization: `Bearer ${SECRETS.SECRET ?? ''}` };
