/** Sends one signed event to a backend that is being developed. */
import { randomBytes } from 'node:crypto';
import type { Config } from '../config/schema.js';
import { postEvent, type Message } from '../webhooks/post-event.js';

const ANSWER_WITHIN_MS = 10_000;

/**
 * Finds the secrets to sign with. Without `shop_events` it makes a secret and prints it.
 *
 * @throws Error in live mode, where a fake event could release goods
 */
export function developmentSecrets(config: Config): string[] {
  if (config.mode === 'live')
    throw new Error('mode: "live"; these events are for mode "test" only');
  if (config.shop_events) return config.shop_events.secret.map((secret) => secret.reveal());
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  process.stdout.write(`the secret of these events is ${secret}\n`);
  return [secret];
}

/** @returns the status of the answer, or `no answer` */
export async function sendEvent(
  url: string,
  secrets: readonly string[],
  message: Message,
): Promise<string> {
  const at = Math.floor(Date.now() / 1000);
  try {
    const target = { url, secrets, at, timeoutMs: ANSWER_WITHIN_MS };
    return String((await postEvent(fetch, message, target)).status);
  } catch {
    return 'no answer';
  }
}
