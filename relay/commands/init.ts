/**
 * `pay-checkout-relay init`: asks four questions and writes a configuration for mode `test`, and
 * new secrets, each into a file.
 */
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { directPort } from '../config/direct-port.js';
import { FIND_STATUSES } from '../config/live-mode.js';
import { parseConfig } from '../config/parse-config.js';
import type { Config, ConfigFile } from '../config/schema.js';
import { isModule } from '../node/read-config-file.js';
import { FLAG, readFlags, TEXT, UsageError, type Command } from './arguments.js';
import {
  answersAsConfig,
  isSandbox,
  questions,
  SECRETS_FOLDER,
  secretsOf,
  type Answers,
} from './init-config.js';
import { checkFolder, schemaFrom, writeFiles, type NewFile } from './init-files.js';
import { firstPage, needsPage, pageOrigin } from './init-page.js';
import { freePorts, USUAL_PORTS, type Ports } from './init-ports.js';

const usage = `usage: pay-checkout-relay init [--file relay.config.json] [--yes]
         [--name NAME] [--origin URL] [--service URL] [--currency CODE] [--events-url URL]
         [--public-url URL] [--catalogue] [--option card|crypto|qr|wallet]...
Asks four questions, unless flags answer them: the shop's name, the address of its pages, the order
service (by default the sandbox), and the currency. --yes answers the rest with the defaults.
--public-url is where browsers reach the relay; --catalogue is for pages without a backend. The
options qr and wallet are for the sandbox: the channels of another service are not known.
Writes the configuration, and new secrets into the folder secrets beside it. Statuses are written
for the sandbox alone: those of another service are not known.
For a shop on this machine without a server of its own, and with the sandbox, it also writes
page/index.html, which pays. Page, relay and sandbox get the ports 3000, 8787 and 9000, or the next
ones that are free; a sandbox that runs already is used.`;

const PAGE = join('page', 'index.html');
const OWNER_ONLY_MODE = 0o600;

/** @throws UsageError, ConfigError, or Error when a file exists already or cannot be written */
async function run(args: string[]): Promise<void> {
  const { answers, file, isComplete } = options(args);
  checkPlace(file);
  const ports = await shopPorts(answers);
  const known = isComplete ? answers : await ask(answers, ports);
  const written = answersAsConfig(known, ports);
  const secrets = secretsOf(written);
  // a wrong answer is reported with its field, before anything is written
  const config = parseConfig(written, (reference) =>
    'file' in reference ? secrets[reference.file] : undefined,
  );
  const page = isSandbox(config.service.base_url, ports) ? await pageOf(config, file) : null;
  writeFiles([...secretFiles(file, secrets), configFile(file, written), ...(page ? [page] : [])]);
  const shown = (path: string): string => relative(process.cwd(), path);
  const lines = nextSteps(shown(file), config, ports, page && shown(page.path));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

export const init: Command = { usage, run };

/** @throws UsageError for a module, which would hold JSON, or Error where nothing can be written */
function checkPlace(file: string): void {
  if (isModule(file))
    throw new UsageError(`--file: ${file} is a module; init writes JSON, so name a file .json`);
  const folder = dirname(file);
  for (const path of [file, join(folder, SECRETS_FOLDER)])
    if (existsSync(path))
      throw new Error(
        `${path}: exists already; nothing was written. Change it by hand, or give --file in ` +
          'another folder',
      );
  checkFolder(folder);
}

/** A shop with a server of its own may run already, and be what takes the usual port. */
async function shopPorts({ eventsUrl, publicUrl }: Answers): Promise<Ports> {
  const ports = await freePorts();
  const shopMayRun = eventsUrl !== undefined || publicUrl !== undefined;
  return shopMayRun ? { ...ports, page: USUAL_PORTS.page } : ports;
}

function configFile(path: string, config: ConfigFile): NewFile {
  const $schema = schemaFrom(dirname(path));
  const content = { ...($schema !== null && { $schema }), ...config };
  return { path, text: `${JSON.stringify(content, null, 2)}\n` };
}

function secretFiles(config: string, secrets: Readonly<Record<string, string>>): NewFile[] {
  const folder = dirname(config);
  return [
    { path: join(folder, SECRETS_FOLDER, '.gitignore'), text: '*\n' },
    // without a line break: a program of the shop that reads the file need not remove one
    ...Object.entries(secrets).map(([path, text]) => {
      return { path: join(folder, path), text, mode: OWNER_ONLY_MODE };
    }),
  ];
}

/** @returns null when the shop needs no page, or has one there already */
async function pageOf(config: Config, file: string): Promise<NewFile | null> {
  const path = join(dirname(file), PAGE);
  if (!needsPage(config) || existsSync(dirname(path))) return null;
  return { path, text: await firstPage(config, basename(file), Date.now()) };
}

/** Asks each question that no flag answered; when the input ends, the defaults apply. */
async function ask(byFlags: Answers, ports: Ports): Promise<Answers> {
  const { hasCatalogue, options, ...given } = byFlags;
  const answers: Record<string, string | undefined> = { ...given };
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  try {
    for (const { byDefault, name, question } of questions(ports)) {
      if (answers[name] !== undefined) continue;
      process.stderr.write(`${question} [${byDefault}] `);
      const { done, value } = await lines.next();
      if (done === true) process.stderr.write('\n');
      else if (value.trim() !== '') answers[name] = value.trim();
    }
  } finally {
    input.close();
  }
  return { ...answers, hasCatalogue, options };
}

function options(args: string[]): { answers: Answers; file: string; isComplete: boolean } {
  const values = readFlags(
    args,
    {
      file: TEXT,
      yes: FLAG,
      name: TEXT,
      origin: TEXT,
      service: TEXT,
      currency: TEXT,
      'events-url': TEXT,
      'public-url': TEXT,
      catalogue: FLAG,
      option: { type: 'string', multiple: true },
    },
    usage,
  );
  const { catalogue = false, file = 'relay.config.json', yes = false } = values;
  const { currency, name, origin, service } = values;
  return {
    answers: {
      name,
      origin,
      service,
      currency,
      eventsUrl: values['events-url'],
      publicUrl: values['public-url'],
      hasCatalogue: catalogue,
      options: values.option,
    },
    file: resolve(file),
    isComplete: yes,
  };
}

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
  const relayPort = directPort(config.public_url) ?? USUAL_PORTS.relay;
  return [
    `${file} and the folder ${SECRETS_FOLDER} are written.`,
    ...(page === null ? [] : [`${page} is a page that pays in the sandbox.`]),
    'Commit neither the secrets nor the ledger.',
    ...(ofSandbox ? [] : [UNKNOWN_STATUSES]),
    ...(relayPort === USUAL_PORTS.relay
      ? []
      : [`Where a guide says http://localhost:8787, write ${config.public_url}.`]),
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
