/** A relay and a sandbox in the process of a test, without any configuration. */
import { parseConfig } from '../config/parse-config.js';
import type { ConfigFile } from '../config/schema.js';
import { elementScript } from '../node/element-script.js';
import { listenOn, LOOPBACK } from '../node/listener.js';
import type { Log } from '../runtime.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { serveSandbox } from '../sandbox/serve.js';
import { nodeRelay, type NodeRelay } from '../server.js';
import { customerPhone, type CustomerPhone } from './customer-phone.js';
import { TEST_SECRETS } from './fake-event.js';

type OwnField = 'service' | 'public_url' | 'order_token_keys' | 'secret_key';

export type TestCheckoutOptions = {
  /** The origins of the shop's pages, such as `http://localhost:3000`. */
  origins: readonly string[];
  /** URL of the shop's webhook; without it no events are sent. */
  events_url?: string | undefined;
  /**
   * Replaces whole fields of the configuration, and single fields of `service`. The keys stay those
   * of `TEST_SECRETS`, and the addresses those of this checkout.
   */
  config?: Partial<Omit<ConfigFile, OwnField>> & {
    service?: Omit<ConfigFile['service'], 'base_url'>;
  };
  /** Values of the `{"env": NAME}` in `config`; none may have a name of `TEST_SECRETS`. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Nothing is logged by default. */
  log?: Log | undefined;
};

/** Can be passed to `fetchOrder` and `reconcile` of `pay-checkout/shop`. */
export type TestCheckout = {
  /** URL of the relay, for the attribute `relay` and the claim `aud`. */
  relay: string;
  secret_key: string;
  /** For `signOrderToken` of `pay-checkout/shop`. */
  order_token_key: { kid: string; secret: string };
  events_secret: string;
  sandbox: Sandbox;
  sandbox_url: string;
  /** Acts on the sandbox's last order. */
  customerPhone: CustomerPhone;
  close(): Promise<void>;
};

const OPTIONS: ConfigFile['options'] = [
  {
    id: 'sbp',
    label: 'SBP',
    payment_method: 'direct',
    payment_type: 'qrcode',
    payment_channel: 'sbp_qr',
  },
  { id: 'card', label: 'Card', payment_method: 'on_line' },
];

/**
 * Starts a relay and a sandbox on free ports of this machine. The options are `sbp`, a QR code, and
 * `card`.
 */
export async function startTestCheckout({
  config,
  events_url,
  log = () => {},
  origins,
  secrets = {},
}: TestCheckoutOptions): Promise<TestCheckout> {
  const sandbox = await serveSandbox({ port: 0, host: LOOPBACK });
  const known: Readonly<Record<string, string>> = { ...secrets, ...TEST_SECRETS };
  // the configuration contains the port, so the listener starts before the relay
  const running: { relay?: NodeRelay } = {};
  const listening = await listenOn(
    (request, bindings) =>
      running.relay?.serve(request, bindings) ?? new Response(null, { status: 503 }),
    { port: 0 },
  );
  const relay = `http://localhost:${listening.port}`;
  const close = async (): Promise<void> => {
    await listening.close();
    await running.relay?.close(0);
    await sandbox.close();
  };
  try {
    const file: ConfigFile = {
      mode: 'test',
      shop: { name: 'Shop', origins: [...origins], return_hosts: ['localhost', '127.0.0.1'] },
      public_url: relay,
      ledger: 'memory:',
      options: OPTIONS,
      statuses: { '20': 'succeeded', '30': 'failed', '40': 'expired' },
      links: { hosts: ['localhost', '127.0.0.1'] },
      order_token_keys: [{ kid: 'test', alg: 'HS256', secret: { env: 'ORDER_TOKEN_KEY' } }],
      secret_key: { env: 'RELAY_SECRET_KEY' },
      ...(events_url !== undefined && {
        shop_events: { url: events_url, secret: { env: 'SHOP_EVENTS_SECRET' } },
      }),
      ...config,
      service: {
        base_url: sandbox.url,
        not_found_codes: ['4040'],
        queries_per_second: 100,
        ...config?.service,
      },
    };
    const read = (reference: { env: string } | { file: string }): string | undefined =>
      'env' in reference ? known[reference.env] : undefined;
    running.relay = await nodeRelay(parseConfig(file, read), { script: elementScript(), log });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    relay,
    secret_key: TEST_SECRETS.RELAY_SECRET_KEY,
    order_token_key: { kid: 'test', secret: TEST_SECRETS.ORDER_TOKEN_KEY },
    events_secret: TEST_SECRETS.SHOP_EVENTS_SECRET,
    sandbox: sandbox.sandbox,
    sandbox_url: sandbox.url,
    customerPhone: customerPhone(sandbox.url),
    close,
  };
}
