/**
 * `pay-checkout-relay init`: asks four questions and writes a configuration for mode `test`, and
 * new secrets, each into a file.
 */
import { createInterface } from 'node:readline';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { FIND_STATUSES } from '../config/live-mode.js';
import { parseConfig } from '../config/parse-config.js';
import { readFlags, type Command } from './arguments.js';
import { answersAsConfig, isSandbox, questions, type Answers } from './init-config.js';

const usage = `usage: pay-checkout-relay init [--file relay.config.json] [--yes]
         [--name NAME] [--origin URL] [--service URL] [--currency CODE] [--events-url URL]
         [--public-url URL] [--catalogue] [--option card|crypto|qr|wallet]...
Asks four questions, unless flags answer them: the shop's name, the address of its pages, the order
service (by default the sandbox), and the currency. --yes answers the rest with the defaults.
--public-url is where browsers reach the relay; --catalogue is for pages without a backend. The
options qr and wallet are for the sandbox: the channels of another service are not known.
Writes the configuration, and new secrets into the folder secrets beside it. Statuses are written
for the sandbox alone: those of another service are not known.`;

const SECRETS_FOLDER = 'secrets';
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
    if (existsSync(path)) throw new Error(`${path}: exists already; nothing was written`);
  const config = answersAsConfig(isComplete ? answers : await ask(answers), SECRETS_FOLDER);
  // a wrong answer is reported with its field, before anything is written
  parseConfig(config, () => newSecret());
  mkdirSync(folder, { recursive: true });
  writeSecrets(join(folder, SECRETS_FOLDER), JSON.stringify(config));
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`);
  const name = relative(process.cwd(), file);
  const ofSandbox = isSandbox(config.service.base_url);
  process.stdout.write(
    [
      `${name} and the folder ${SECRETS_FOLDER} are written.`,
      'Commit neither the secrets nor the ledger.',
      ...(ofSandbox ? [] : [UNKNOWN_STATUSES]),
      'Next:',
      ...(ofSandbox ? ['  npx --no-install pay-checkout-relay sandbox'] : []),
      `  npx --no-install pay-checkout-relay check --config ${name}`,
      `  npx --no-install pay-checkout-relay start --config ${name}`,
      'On the page:',
      `  <script src="${config.public_url}/pay-checkout.js" defer></script>`,
      `  <pay-checkout ${config.catalogue ? 'sku="tee"' : 'order-token="…"'}></pay-checkout>`,
      '',
    ].join('\n'),
  );
}

export const init: Command = { usage, run };

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex');

/** Writes the secrets that the configuration names. */
function writeSecrets(folder: string, config: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, '.gitignore'), '*\n');
  const secrets = {
    'order-token-key': newSecret(),
    'secret-key': newSecret(),
    'request-id-key': newSecret(),
    'shop-events-secret': `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  };
  for (const [name, value] of Object.entries(secrets))
    // without a line break: a program of the shop that reads the file need not remove one
    if (name === 'shop-events-secret' || config.includes(`/${name}"`))
      writeFileSync(join(folder, name), value, { mode: OWNER_ONLY_MODE });
}

/** Asks each question that no flag answered; when the input ends, the defaults apply. */
async function ask(byFlags: Answers): Promise<Answers> {
  const { hasCatalogue, options, ...given } = byFlags;
  const answers: Record<string, string | undefined> = { ...given };
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  try {
    for (const { byDefault, name, question } of questions) {
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
  const text = { type: 'string' } as const;
  const values = readFlags(
    args,
    {
      file: text,
      yes: { type: 'boolean' },
      name: text,
      origin: text,
      service: text,
      currency: text,
      'events-url': text,
      'public-url': text,
      catalogue: { type: 'boolean' },
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
