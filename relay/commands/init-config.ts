/** The questions of `init`, and the configuration that it writes for the answers. */
import { randomBytes } from 'node:crypto';
import { directPort } from '../config/direct-port.js';
import { isLoopback } from '../config/links.js';
import type { ConfigFile } from '../config/schema.js';
import { SANDBOX_STATUSES } from '../config/statuses.js';
import { UsageError } from './arguments.js';
import { USUAL_PORTS, type Ports } from './init-ports.js';

export type Answers = {
  readonly [K in 'name' | 'origin' | 'service' | 'currency' | 'eventsUrl' | 'publicUrl']?:
    string | undefined;
} & {
  /** Prices in the configuration, for pages without a backend, in place of order tokens. */
  readonly hasCatalogue?: boolean;
  /** The ways to pay by name. */
  readonly options?: readonly string[];
};

/** A sandbox has its usual port, or the one that `init` found for it. */
export const isSandbox = (service: string, ports: Ports = USUAL_PORTS): boolean =>
  [USUAL_PORTS.sandbox, ports.sandbox]
    .flatMap((port) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`])
    .includes(service.replace(/\/$/, ''));

/** Beside the configuration. */
export const SECRETS_FOLDER = 'secrets';
const SECRETS = {
  orderToken: `${SECRETS_FOLDER}/order-token-key`,
  relay: `${SECRETS_FOLDER}/secret-key`,
  requestId: `${SECRETS_FOLDER}/request-id-key`,
  shopEvents: `${SECRETS_FOLDER}/shop-events-secret`,
};
const SECRET_BYTES = 32;

/** @returns new secrets for the configuration, by their files */
export function secretsOf({ order_token_keys }: ConfigFile): Readonly<Record<string, string>> {
  const hex = (): string => randomBytes(SECRET_BYTES).toString('hex');
  return {
    ...(order_token_keys && { [SECRETS.orderToken]: hex() }),
    [SECRETS.relay]: hex(),
    [SECRETS.requestId]: hex(),
    // also without shop_events, which may be configured later
    [SECRETS.shopEvents]: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  };
}

type Option = NonNullable<ConfigFile['options']>[number];

/** Ways to pay of any service. */
const OPTIONS: Readonly<Record<string, Option>> = {
  card: { id: 'card', label: 'Card', payment_method: 'on_line' },
  crypto: { id: 'crypto', label: 'Crypto', payment_method: 'on_chain' },
};
/** Ways to pay whose channel is the sandbox's; another service names its channels otherwise. */
const SANDBOX_OPTIONS: Readonly<Record<string, Option>> = {
  qr: {
    id: 'qr',
    label: 'QR code',
    payment_method: 'direct',
    payment_type: 'qrcode',
    payment_channel: 'sbp_qr',
  },
  wallet: {
    id: 'wallet',
    label: 'Wallet',
    payment_method: 'direct',
    payment_type: 'wallet',
    payment_channel: 'sbp',
  },
};

/** @throws UsageError for an unknown name */
function optionNamed(name: string, ofSandbox: boolean): Option {
  const known = ofSandbox ? { ...OPTIONS, ...SANDBOX_OPTIONS } : OPTIONS;
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (option) return option;
  throw new UsageError(
    `--option ${name}: expected ${Object.keys(known).join(', ')}; write any other into the file`,
  );
}

/** The four questions, in their order. */
export const questions = ({ page, sandbox }: Ports) =>
  [
    { name: 'name', question: 'The name of the shop?', byDefault: 'My shop' },
    {
      name: 'origin',
      question: 'The address of its pages?',
      byDefault: `http://localhost:${page}`,
    },
    {
      name: 'service',
      question: 'The base URL of the order service? (the sandbox by default)',
      byDefault: `http://127.0.0.1:${sandbox}`,
    },
    { name: 'currency', question: 'The currency of its prices?', byDefault: 'USD' },
  ] as const;

/** `localhost:3000` would be read as a URL of the scheme `localhost`. */
const withScheme = (address: string): string =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i.test(address) ? `http://${address}` : address;

/**
 * @param ports where page, relay and sandbox are on this machine
 * @throws UsageError for a name that a page could not show
 */
export function answersAsConfig(
  { eventsUrl, hasCatalogue, options, publicUrl, ...answers }: Answers,
  ports: Ports = USUAL_PORTS,
): ConfigFile & { public_url: string } {
  const [name, pageAnswer, serviceAnswer, code] = questions(ports).map(
    (question) => answers[question.name] ?? question.byDefault,
  ) as [string, string, string, string];
  const [pageUrl, service] = [withScheme(pageAnswer), withScheme(serviceAnswer)];
  if (/\p{Cc}/u.test(name))
    throw new UsageError('--name: expected a name without line breaks and control characters');
  const currency = code.toUpperCase();
  // another scheme has no origin; the address as it was given is then reported with its field
  const isWeb = /^https?:/i.test(pageUrl) && URL.canParse(pageUrl);
  const origin = isWeb ? new URL(pageUrl).origin : pageUrl;
  const isLocal = URL.canParse(pageUrl) && isLoopback(new URL(pageUrl).hostname);
  // statuses, codes and channels of another service are unknown: if its 20 meant "processing", the
  // shop would deliver goods that nobody has paid
  const ofSandbox = isSandbox(service, ports);
  const names = options ?? (ofSandbox ? ['card', 'qr'] : ['card']);
  // a shop on this machine has no web server that forwards /pay, so its pages use the relay's port
  const public_url = publicUrl ?? (isLocal ? `http://localhost:${ports.relay}` : `${origin}/pay`);
  return {
    mode: 'test',
    service: { base_url: service, ...(ofSandbox && { not_found_codes: ['4040'] }) },
    shop: {
      name,
      origins: [origin],
      return_hosts: URL.canParse(origin) ? [new URL(origin).host] : [],
    },
    public_url,
    ledger: 'sqlite:pay-checkout.db',
    options: names.map((each) => ({
      ...optionNamed(each, ofSandbox),
      currencies: [currency],
    })),
    ...(ofSandbox && { statuses: SANDBOX_STATUSES }),
    links: { hosts: hostsOf(service, ofSandbox) },
    ...(hasCatalogue
      ? {
          catalogue: {
            tee: { amount: '19.90', currency, product_name: 'T-shirt', max_quantity: 5 },
          },
        }
      : { order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: { file: SECRETS.orderToken } }] }),
    secret_key: { file: SECRETS.relay },
    request_id_key: { file: SECRETS.requestId },
    // otherwise the shop's web server forwards /pay, and names the customer's address
    ...(directPort(public_url) === null && { limits: { trusted_hops: 1 } }),
    ...(eventsUrl !== undefined && {
      shop_events: { url: eventsUrl, secret: { file: SECRETS.shopEvents } },
    }),
  };
}

/** The hosts that the service's links lead to; the sandbox calls itself `localhost`. */
function hostsOf(service: string, ofSandbox: boolean): string[] {
  if (!URL.canParse(service)) return [];
  const { host, hostname } = new URL(service);
  return ofSandbox ? [...new Set([hostname, 'localhost'])] : [host];
}
