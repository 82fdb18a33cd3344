/** Sends one signed event to a backend that is being developed. */
import { randomBytes } from 'node:crypto';
import type { Config } from '../config/schema.js';
import { signMessage } from '../webhooks/sign.js';

const ANSWER_WITHIN_MS = 10_000;

/**
 * The secrets to sign with; without any, a new one, which is printed.
 *
 * @throws Error in live mode, where a made event could release goods
 */
export function developmentSecrets(config: Config): string[] {
  if (config.mode === 'live') throw new Error('mode: "live"; made events are for mode "test" only');
  if (config.shop_events) return config.shop_events.secret.map((secret) => secret.reveal());
  const made = `whsec_${randomBytes(32).toString('base64')}`;
  process.stdout.write(`the secret of these events is ${made}\n`);
  return [made];
}

/** @returns the status of the answer, or why there is none */
export async function sendEvent(
  url: string,
  secrets: readonly string[],
  { body, id }: { body: string; id: string },
): Promise<string> {
  const at = Math.floor(Date.now() / 1000);
  const signed = await signMessage(secrets, { id, at, body });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return String(response.status);
  } catch {
    return 'no answer';
  }
}
