/** What `init` tells whoever ran it. */
import { dirname } from 'node:path';
import { FIND_STATUSES } from '../config/live-mode.js';
import type { Config } from '../config/schema.js';
import { isReachedDirectly, isSandbox, SECRETS_FOLDER } from './init-config.js';
import { pageOrigin } from './init-page.js';
import { USUAL_PORTS, type Ports } from './init-ports.js';

const RELAY = 'npx --no-install pay-checkout-relay';
const UNKNOWN_STATUSES =
  'Write into statuses what each status of your service means; until then no order counts as ' +
  `paid.\n${FIND_STATUSES}.`;

/**
 * @param file of the configuration, relative to the working directory as `page` is
 * @param page that was written; null when the shop has its own
 * @returns lines that say what was written, and what to run
 */
export function nextSteps(
  file: string,
  config: Config,
  ports: Ports,
  page: string | null,
): string[] {
  const ofSandbox = isSandbox(config.service.base_url, ports);
  const sandboxPort = portOf(config.service.base_url);
  const relayPort = isReachedDirectly(config.public_url)
    ? portOf(config.public_url)
    : USUAL_PORTS.relay;
  return [
    `${file} and the folder ${SECRETS_FOLDER} are written.`,
    ...(page === null ? [] : [`${page} is a page that pays in the sandbox.`]),
    'Commit neither the secrets nor the ledger.',
    ...(ofSandbox ? [] : [UNKNOWN_STATUSES]),
    'Next, each in a terminal of its own, which it keeps:',
    ...(ofSandbox ? [`  ${RELAY} sandbox${portFlag(sandboxPort, USUAL_PORTS.sandbox)}`] : []),
    `  ${RELAY} start --config ${quoted(file)}${portFlag(relayPort, USUAL_PORTS.relay)}`,
    ...(page === null ? ownPage(config) : servedPage(config, page, sandboxPort)),
    'While they run, in one more terminal:',
    `  ${RELAY} check --config ${quoted(file)}`,
  ];
}

const ownPage = (config: Config): string[] => [
  'On the page:',
  `  <script src="${config.public_url}/pay-checkout.js" defer></script>`,
  `  <pay-checkout ${config.catalogue ? 'sku="tee"' : 'order-token="…"'}></pay-checkout>`,
];

function servedPage(config: Config, page: string, sandboxPort: number): string[] {
  const { href, origin } = pageOrigin(config);
  return [
    `  python3 -m http.server ${portOf(href)} --directory ${quoted(dirname(page))}`,
    `Open ${origin}, pay, and confirm at http://localhost:${sandboxPort}/phone.`,
  ];
}

/** The ports of schemes that a URL leaves out. */
const SCHEME_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (SCHEME_PORTS[protocol] ?? 0) : Number(port);
}

const portFlag = (port: number, byDefault: number): string =>
  port === byDefault ? '' : ` --port ${port}`;

/** As a shell takes it for one argument. */
const quoted = (path: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path.replace(/["$`\\]/g, '\\$&')}"`;
