/** A console of a world's relay, and its requests. */
import assert from 'node:assert/strict';
import { Secret } from '../../../../relay/config/secrets.js';
import type { Access } from '../../../../relay/console/operator-keys.js';
import { operatorPages } from '../../../../relay/console/operator.js';
import type { LoadWebAuthn } from '../../../../relay/console/web-authn.js';
import type { World } from '../../support/world.js';

export const KEY = 'the-key-of-ann';
export const READING_KEY = 'the-key-of-ben';

/** What the metrics say of the calls of the service. */
export const UPSTREAM = { results: { ok: 1200, refused: 3 }, half_s: 0.05, most_s: 2.5 };

export type Ask = {
  method?: string;
  body?: unknown;
  cookie?: string;
  headers?: Record<string, string>;
  host?: string;
  address?: string;
};
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

type Options = { keysAlwaysOpen?: () => boolean; loadWebAuthn?: LoadWebAuthn };

export function createConsoleOf(
  world: World,
  { keysAlwaysOpen = () => false, loadWebAuthn }: Options = {},
) {
  const clock = { now: 0 };
  const lines: unknown[][] = [];
  const keys: Access['keys'] = [
    { name: 'Ann', key: new Secret(KEY), role: 'act' },
    { name: 'Ben', key: new Secret(READING_KEY), role: 'read' },
  ];
  const pages = operatorPages({
    relay: world.relay,
    metrics: { type: 'text/plain', page: async () => 'figures', upstream: async () => UPSTREAM },
    ledger: world.ledger,
    access: () => ({ keys, hosts: ['ops.shop.example'], keys_always_open: keysAlwaysOpen() }),
    ...(loadWebAuthn && { loadWebAuthn }),
    folder: new URL('../../../../dist/console/', import.meta.url),
    log: (...line) => void lines.push(line),
    elapsed: () => clock.now,
  });
  const ask = async (
    path: string,
    { address = '127.0.0.1', body, cookie, headers, host = 'localhost:8788', method }: Ask = {},
  ): Promise<Answer> => {
    const request = new Request(`http://${host}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        host,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie !== undefined && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await pages(request, { remoteAddress: address });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const { status, headers: answered } = response;
    return { status, headers: answered, body: isJson ? JSON.parse(text) : { text } };
  };
  const signIn = async (key = KEY): Promise<string> => {
    const { headers, status } = await ask('/console/session', { body: { key } });
    assert.equal(status, 200);
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const call = async (verb: string, input: object, cookie: string): Promise<Answer> =>
    ask(`/console/api/${verb}`, { body: input, cookie });
  return { ask, call, clock, keys, lines, pages, signIn };
}

type Refusal = { readonly code?: string; readonly message?: string };
const errorOf = ({ body }: Answer): Refusal | undefined => body.error as Refusal | undefined;
export const codeOf = (answer: Answer): string | undefined => errorOf(answer)?.code;
export const messageOf = (answer: Answer): string | undefined => errorOf(answer)?.message;

export type Console = ReturnType<typeof createConsoleOf>;
