/**
 * `pay-checkout-relay listen --forward URL`: forwards the events of a running relay to a backend on
 * this machine, signed as webhooks. It is for development, where the relay cannot reach the
 * backend.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endpoints } from '../contract/endpoints.js';
import { readFlags, readUrl, required, TEXT, type Command } from './arguments.js';
import { developmentSecrets, sendEvent } from './send-event.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay listen --config FILE --forward URL [--relay URL]
Asks the relay at public_url, or at --relay, for new events, and posts each to URL until the command
is stopped. Without shop_events.secret it makes a secret and prints it. In mode test only.`;

const POLL_MS = 1000;
const MAX_EVENTS_PER_PAGE = 500;
const ANSWER_WITHIN_MS = 10_000;

type ReadPage = (cursor?: string) => Promise<z.infer<typeof endpoints.events.response>>;

/** @throws UsageError, ConfigError, or Error when the relay refuses the first call */
async function run(args: string[]): Promise<void> {
  const values = readFlags(args, { config: TEXT, forward: TEXT, relay: TEXT }, usage);
  const file = required(values, 'config', usage);
  const forward = required(values, 'forward', usage);
  readUrl(values, 'forward', usage);
  const relay = readUrl(values, 'relay', usage)?.replace(/\/+$/, '');
  const config = await readConfigFile(file);
  const secrets = developmentSecrets(config);
  const [key] = config.secret_key ?? [];
  if (!key) throw new Error('secret_key: missing; the relay lists its events only with this key');
  const url = `${relay ?? config.public_url}${endpoints.events.path}`;
  const read: ReadPage = async (cursor) =>
    endpoints.events.response.parse(
      await postJson(url, key.reveal(), {
        limit: MAX_EVENTS_PER_PAGE,
        ...(cursor !== undefined && { cursor }),
      }),
    );
  let cursor = await lastCursor(read);
  process.stdout.write(`forwarding the events of ${relay ?? config.public_url} to ${forward}\n`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  while (!stopping.signal.aborted) {
    const page = await read(cursor).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      return null;
    });
    for (const { data, id, timestamp, type } of page?.events ?? []) {
      const body = JSON.stringify({ type, timestamp, data });
      process.stdout.write(`${type} ${id} → ${await sendEvent(forward, secrets, { id, body })}\n`);
    }
    cursor = page?.cursor ?? cursor;
    if (!page?.more) await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

export const listen: Command = { usage, run };

/** @returns the cursor after the last event: events from before the start are not forwarded */
async function lastCursor(read: ReadPage): Promise<string> {
  let page = await read();
  while (page.more) page = await read(page.cursor);
  return page.cursor;
}

const failure = z.object({ error: z.object({ code: z.string() }) });

/**
 * Posts JSON to the relay with the secret key.
 *
 * @throws Error that names the address, and the relay's error code when there is one
 */
async function postJson(url: string, secretKey: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: unknown) => {
    throw new Error(`${url}: no answer`, { cause: error });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const refused = failure.safeParse(answer);
  throw new Error(
    `${url}: ${response.status}${refused.success ? ` ${refused.data.error.code}` : ''}`,
  );
}
