/** `pay-checkout-relay trigger EVENT`: sends a fake event to a backend that is being developed. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config/schema.js';
import { asAmount, isAmount } from '../contract/decimal.js';
import { shopEventTypes, type ShopEventType } from '../contract/shop-events.js';
import { fakeEventBody } from '../webhooks/fake-event-body.js';
import { readArguments, readUrl, required, TEXT, UsageError, type Command } from './arguments.js';
import { readConfigFile } from '../node/read-config-file.js';
import { developmentSecrets, sendEvent } from './send-event.js';

const usage = `usage: pay-checkout-relay trigger EVENT --config FILE [--to URL] [--intent-id ID]
         [--amount AMOUNT] [--currency CODE]
Posts a fake event to shop_events.url, or to URL, signed as the relay signs. In mode test only.
EVENT is one of
${shopEventTypes.map((type) => `  ${type}`).join('\n')}`;

/** @throws UsageError, ConfigError, or Error when the receiver does not answer with 2xx */
async function run(args: string[]): Promise<void> {
  const flags = { config: TEXT, to: TEXT, 'intent-id': TEXT, amount: TEXT, currency: TEXT };
  const { positionals, values } = readArguments(args, flags, usage);
  const type = typeIn(positionals);
  const {
    'intent-id': intentId = `test-${randomUUID()}`,
    amount = '12.50',
    currency = 'USD',
  } = values;
  if (!isAmount(amount)) throw new UsageError(`--amount ${amount}: expected ${asAmount.error}`);
  if (!/^[\w.-]+$/.test(intentId))
    throw new UsageError(`--intent-id ${intentId}: expected characters of A-Z a-z 0-9 _ . -`);
  const to = readUrl(values, 'to', usage);
  const config = await readConfigFile(required(values, 'config', usage));
  const url = to ?? receiverOf(config);
  const secrets = developmentSecrets(config);
  const id = `evt_${randomUUID()}`;
  const body = fakeEventBody(config, type, { intentId, amount, currency });
  const answer = await sendEvent(url, secrets, { id, body });
  process.stdout.write(`${type} ${id} → ${answer}\n`);
  if (answer === '401')
    throw new Error(
      `${url}: 401; the receiver has another secret, or checks the signature of a parsed body`,
    );
  if (!/^2\d\d$/.test(answer))
    throw new Error(`${url}: ${answer}; expected a status of 200 to 299`);
}

export const trigger: Command = { usage, run };

function receiverOf({ shop_events }: Config): string {
  if (shop_events) return shop_events.url;
  throw new UsageError(`shop_events is not configured: name the receiver with --to URL\n${usage}`);
}

function typeIn(positionals: readonly string[]): ShopEventType {
  const [named, ...more] = positionals;
  const type = shopEventTypes.find((known) => known === named);
  if (type !== undefined && more.length === 0) return type;
  throw new UsageError(`${positionals.join(' ') || 'no event'}: expected one event\n${usage}`);
}
