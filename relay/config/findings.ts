/** What is wrong or missing in a configuration, by itself: nothing is asked or read. */
import { unshownImages } from './images.js';
import { isLoopback } from './links.js';
import { FIND_STATUSES, missingForSales } from './live-mode.js';
import { takes, whyNoneTakes } from './payment-options.js';
import type { Config } from './schema.js';
import {
  NO_REQUEST_ID_KEY,
  plainEventsSecrets,
  shortSecret,
  sharedSecrets,
  shortSecrets,
} from './weak-secrets.js';
import { wrongTexts } from './shop-texts.js';
import { CREATED, SANDBOX_STATUSES } from './statuses.js';
import { unseenWallets } from './wallets.js';

/** `error` means that customers cannot pay or that an order could be lost. */
export type Finding = { level: 'ok' | 'warn' | 'error'; path: string; text: string };

export const ok = (path: string, text: string): Finding => ({ level: 'ok', path, text });
export const warn = (path: string, text: string): Finding => ({ level: 'warn', path, text });
export const error = (path: string, text: string): Finding => ({ level: 'error', path, text });

/** How long a page waits for an answer to a pay (widget/relay-client.ts). */
const PAGE_WAIT_MS = 15_000;

export function findingsOf(config: Config): Finding[] {
  const { links, mode, options, shop, statuses } = config;
  const gaps = missingForSales(config).map(({ effect, line, path }) =>
    error(path, `${effect}; write ${line}`),
  );
  const enabled = options.filter((option) => option.enabled).length;
  const named = Object.keys(statuses).length;
  return [
    ...gaps,
    ...(gaps.length === 0 && options.length > 0
      ? [ok('options', `${enabled} enabled, ${named} statuses named`)]
      : []),
    ...(mode === 'live' && isTableOfSandbox(statuses)
      ? [
          warn(
            'statuses',
            `the statuses of the sandbox; at another service they differ. ${FIND_STATUSES}`,
          ),
        ]
      : []),
    ...(sellsNothing(config)
      ? [
          error(
            'order_token_keys',
            'no order can be made; write ' +
              '"order_token_keys": [{"kid": "k1", "alg": "HS256", "secret": {"env": "KEY"}}]' +
              ', or a catalogue, open_amount or secret_key',
          ),
        ]
      : []),
    ...untakenPrices(config),
    ...slowAnswer(config),
    ...(links.hosts
      ? [ok('links', `customers are sent to ${links.hosts.join(', ') || 'no host'}`)]
      : [
          warn(
            'links.hosts',
            'links to any https host are shown unless they name a port; write those of the service',
          ),
        ]),
    ...(shop.return_hosts.length === 0
      ? [warn('shop.return_hosts', 'no return_url is accepted; write ["shop.example"]')]
      : []),
    ...hiddenImages(config),
    ...ownTexts(config),
    ...unseenWallets(config).map((path) =>
      warn(
        path,
        'never shown: no link is opened; allow one in links, and write "phone_action": "open"',
      ),
    ),
    ...(config.secret_key
      ? []
      : [warn('secret_key', 'the backend has no access; write {"env": "RELAY_SECRET_KEY"}')]),
    ...weakSecrets(config),
    ...sharedSecrets(config).map(([path, other]) =>
      warn(path, `the same secret as ${other}; whoever learns one has both, so write another`),
    ),
    ...(mode === 'live' && !config.request_id_key
      ? [error('request_id_key', `is absent: ${NO_REQUEST_ID_KEY}`)]
      : []),
    ...(isPublic(config) && config.limits.trusted_hops === 0
      ? [
          warn(
            'limits.trusted_hops',
            'behind a proxy all customers would share one limit; write 1 for one proxy',
          ),
        ]
      : []),
  ];
}

/**
 * What the relay logs when it starts or is reloaded. In live mode a configuration that lacks what
 * sales need does not start.
 */
export function warningsAtStart(config: Config): string[] {
  const gaps = missingForSales(config).map(
    ({ effect, line, path }) => `${path}: ${effect}; write ${line}`,
  );
  return [
    ...(config.links.hosts
      ? []
      : ['links.hosts is absent: links to any https host are shown unless they name a port']),
    ...(gaps.length > 0 ? [gaps.join('; ')] : []),
    ...(config.mode === 'live' && config.ledger.reveal() === 'memory:'
      ? ['ledger: a restart forgets every order, also the paid ones; write "sqlite:FILE"']
      : []),
    ...unseenWallets(config).map((path) => `${path}: never shown, because no link is opened`),
    ...[
      ...weakSecrets(config),
      ...hiddenImages(config),
      ...slowAnswer(config),
      ...ownTexts(config),
    ].map(({ path, text }) => `${path}: ${text}`),
  ];
}

const weakSecrets = (config: Config): Finding[] => [
  ...plainEventsSecrets(config).map((path) =>
    warn(path, 'official libraries need whsec_ followed by base64'),
  ),
  ...shortSecrets(config).map((path) => warn(path, shortSecret(path))),
];

const hiddenImages = (config: Config): Finding[] =>
  unshownImages(config).map((path) =>
    warn(path, 'not shown; write its host into shop.image_hosts'),
  );

const ownTexts = (config: Config): Finding[] =>
  wrongTexts(config).map(([path, mistake]) => warn(path, mistake));

const slowAnswer = ({ service }: Config): Finding[] =>
  service.timeout_ms > PAGE_WAIT_MS
    ? [
        warn(
          'service.timeout_ms',
          `a page waits for ${PAGE_WAIT_MS} ms only; write ${PAGE_WAIT_MS} or less`,
        ),
      ]
    : [];

/** Names each configured price that no option takes. Prices in order tokens are unknown here. */
function untakenPrices({ catalogue = {}, open_amount = {}, options }: Config): Finding[] {
  const charges = [
    ...Object.entries(catalogue).map(([sku, charge]) => [`catalogue.${sku}`, charge] as const),
    ...Object.entries(open_amount).flatMap(([currency, bounds]) =>
      (['min', 'max'] as const).map(
        (bound) =>
          [`open_amount.${currency}.${bound}`, { amount: bounds[bound], currency }] as const,
      ),
    ),
  ];
  return charges
    .filter(([, charge]) => !options.some((option) => takes(option, charge)))
    .map(([path, charge]) => warn(path, whyNoneTakes(options, charge)));
}

/** Whether all statuses are the sandbox's. 11, of a new order, is the same at every service. */
function isTableOfSandbox(statuses: Config['statuses']): boolean {
  const { [CREATED]: _created, ...rest } = statuses;
  const names = Object.keys(SANDBOX_STATUSES) as (keyof typeof SANDBOX_STATUSES)[];
  return (
    Object.keys(rest).length === names.length &&
    names.every((name) => rest[name] === SANDBOX_STATUSES[name])
  );
}

/** A backend with the secret key sells by pay links. */
function sellsNothing(config: Config): boolean {
  const { catalogue = {}, deposits, open_amount = {}, open_deposits } = config;
  if (config.order_token_keys.length > 0 || config.secret_key) return false;
  const isFree = open_deposits && deposits.length > 0;
  return !isFree && Object.keys({ ...catalogue, ...open_amount }).length === 0;
}

const isPublic = ({ public_url }: Config): boolean => !isLoopback(new URL(public_url).hostname);
