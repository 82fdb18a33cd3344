/**
 * `pay-checkout-relay init`: asks four questions and writes a configuration for mode `test`, and
 * new secrets, each into a file.
 */
import { createInterface } from 'node:readline';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { FIND_STATUSES } from '../config/live-mode.js';
import { parseConfig } from '../config/parse-config.js';
import { FLAG, readFlags, TEXT, type Command } from './arguments.js';
import { isLoopback } from '../config/links.js';
import { readConfigFile } from '../node/read-config-file.js';
import { answersAsConfig, isSandbox, questions, type Answers } from './init-config.js';
import { checkFolder, inWords, makeFolder } from './init-folder.js';
import { firstPage } from './init-page.js';
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

const SECRETS_FOLDER = 'secrets';
const PAGE_FOLDER = 'page';
const UNKNOWN_STATUSES =
  'Write into statuses what each status of your service means; until then no order counts as ' +
  `paid.\n${FIND_STATUSES}.`;
const OWNER_ONLY_MODE = 0o600;
const SECRET_BYTES = 32;

/** @throws UsageError, ConfigError, or Error when a file exists already */
async function run(args: string[]): Promise<void> {
  const { answers, file, isComplete } = options(args);
  const folder = dirname(file);
  for (const path of [file, join(folder, SECRETS_FOLDER)])
    if (existsSync(path))
      throw new Error(
        `${path}: exists already; nothing was written. Change it by hand, or give --file`,
      );
  checkFolder(folder);
  const ports = await shopPorts(answers);
  const known = isComplete ? answers : await ask(answers, ports);
  const config = answersAsConfig(known, SECRETS_FOLDER, ports);
  // a wrong answer is reported with its field, before anything is written
  parseConfig(config, () => newSecret());
  makeFolder(folder);
  writeSecrets(join(folder, SECRETS_FOLDER), JSON.stringify(config));
  inWords(file, () => writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`));
  const name = relative(process.cwd(), file);
  const ofSandbox = isSandbox(config.service.base_url, ports);
  const page = ofSandbox ? await writePage(file) : null;
  const atPort =
    ports.relay !== USUAL_PORTS.relay && config.public_url === `http://localhost:${ports.relay}`
      ? ` --port ${ports.relay}`
      : '';
  const sandboxPort = new URL(config.service.base_url).port;
  const ofPort = sandboxPort === String(USUAL_PORTS.sandbox) ? '' : ` --port ${sandboxPort}`;
  const relay = 'npx --no-install pay-checkout-relay';
  process.stdout.write(
    [
      `${name} and the folder ${SECRETS_FOLDER} are written.`,
      ...(page ? [`${page.file} is a page that pays in the sandbox.`] : []),
      'Commit neither the secrets nor the ledger.',
      ...(ofSandbox ? [] : [UNKNOWN_STATUSES]),
      'Next, each in a terminal of its own, which it keeps:',
      ...(ofSandbox ? [`  ${relay} sandbox${ofPort}`] : []),
      `  ${relay} start --config ${name}${atPort}`,
      ...(page ? [`  ${page.serve}`] : []),
      ...(page
        ? [`Open ${page.origin}, pay, and confirm at http://localhost:${sandboxPort}/phone.`]
        : [
            'On the page:',
            `  <script src="${config.public_url}/pay-checkout.js" defer></script>`,
            `  <pay-checkout ${config.catalogue ? 'sku="tee"' : 'order-token="…"'}></pay-checkout>`,
          ]),
      'While they run, in one more terminal:',
      `  ${relay} check --config ${name}`,
      '',
    ].join('\n'),
  );
}

/** The address of a shop that runs already may be what takes the usual port of the page. */
async function shopPorts({ eventsUrl, publicUrl }: Answers): Promise<Ports> {
  const ports = await freePorts();
  const hasServer = eventsUrl !== undefined || publicUrl !== undefined;
  return hasServer ? { ...ports, page: USUAL_PORTS.page } : ports;
}

export const init: Command = { usage, run };

/**
 * Writes a page for a shop on this machine.
 *
 * @returns what to do with it; null when the shop is elsewhere, has a server of its own, or has
 *   such a page already
 */
async function writePage(
  configFile: string,
): Promise<{ file: string; serve: string; origin: string } | null> {
  const config = await readConfigFile(configFile);
  const origin = new URL(config.shop.origins[0] ?? '');
  const hasServer = config.shop_events || new URL(config.public_url).origin === origin.origin;
  const folder = join(dirname(configFile), PAGE_FOLDER);
  if (hasServer || !isLoopback(origin.hostname) || existsSync(folder)) return null;
  makeFolder(folder);
  const file = join(folder, 'index.html');
  const page = await firstPage(config, Date.now());
  inWords(file, () => writeFileSync(file, page));
  const shown = relative(process.cwd(), folder);
  return {
    file: relative(process.cwd(), file),
    serve: `python3 -m http.server ${origin.port || 80} --directory ${shown}`,
    origin: origin.origin,
  };
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** Writes the secrets that the configuration names. */
function writeSecrets(folder: string, config: string): void {
  makeFolder(folder);
  const write = (name: string, text: string, mode?: number): void =>
    inWords(join(folder, name), () => writeFileSync(join(folder, name), text, { mode }));
  write('.gitignore', '*\n');
  const secrets = {
    'order-token-key': newSecret(),
    'secret-key': newSecret(),
    'request-id-key': newSecret(),
    'shop-events-secret': `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  };
  for (const [name, value] of Object.entries(secrets))
    // without a line break: a program of the shop that reads the file need not remove one
    if (name === 'shop-events-secret' || config.includes(`/${name}"`))
      write(name, value, OWNER_ONLY_MODE);
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
  const answer = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    answers: {
      name: answer('name'),
      origin: answer('origin'),
      service: answer('service'),
      currency: answer('currency'),
      eventsUrl: answer('events-url'),
      publicUrl: answer('public-url'),
      hasCatalogue: values.catalogue === true,
      options: Array.isArray(values.option) ? values.option : undefined,
    },
    file: resolve(answer('file') ?? 'relay.config.json'),
    isComplete: values.yes === true,
  };
}
