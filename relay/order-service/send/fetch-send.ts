/** `send` over fetch, for any runtime. It follows no redirect, which could send a POST twice. */
import { readBytes } from '../../contract/read-bytes.js';
import type { Send } from '../client.js';
import { OrderServiceError } from '../errors.js';
import {
  MAX_ANSWER_BYTES,
  built,
  headersFor,
  incomplete,
  tooLate,
  type SendOptions,
} from './signing.js';

/**
 * @param options a `fetch` of the caller gets a text as body, and must send each request only once:
 *   undici's, for example, sends a text again after HTTP 421
 * @throws Error on Deno when `options` has no `fetch`: Deno's own `fetch` sends a POST again when a
 *   keep-alive connection ends before the answer, so a pay could be placed twice
 */
export function fetchSend(
  options: SendOptions & { fetch?: (url: string, init: RequestInit) => Promise<Response> },
  runtime: object = globalThis,
): Send {
  if ('Deno' in runtime && !options.fetch)
    throw new Error(
      'Deno: its fetch may send a request twice; give fetchSend one that keeps no connection, ' +
        'by Deno.createHttpClient({ poolMaxIdlePerHost: 0, http2: false })',
    );
  const base = options.baseUrl.replace(/\/$/, '');
  const callFetch = options.fetch ?? createFetchOnce();
  return async (path, json, signal, ownHeaders, isLate) => {
    const url = base + path;
    const headers = built(() => checkedHeaders(url, headersFor(options, ownHeaders)));
    // fetch opens the connection itself: this is the last moment to find that it is too late
    if (isLate?.()) throw tooLate();
    try {
      const response = await callFetch(url, {
        method: 'POST',
        headers,
        body: json,
        signal,
        redirect: 'manual',
        // Bun then opens a connection for each request: some versions send a POST again when a
        // kept connection ends before the answer; elsewhere this is the default
        keepalive: false,
      });
      const text = await textOf(response, options.maxBytes ?? MAX_ANSWER_BYTES);
      return { status: response.status, text };
    } catch (error) {
      throw incomplete(error);
    }
  };
}

/** @throws TypeError when fetch would refuse the request, with an error that does not show this */
function checkedHeaders(url: string, headers: Record<string, string>): Record<string, string> {
  const request = new Request(url, { method: 'POST', headers });
  if (!/^https?:/.test(request.url)) throw new TypeError('the URL is not one of http or https');
  return headers;
}

/**
 * Node's fetch sends a text again when the answer is HTTP 421. A stream it can send only once. Its
 * length is given, because without it the body would be sent in chunks.
 */
function createFetchOnce(): (
  url: string,
  init: RequestInit & { body: string },
) => Promise<Response> {
  const rest = withoutCredentials();
  return (url, init) => {
    const bytes = new TextEncoder().encode(init.body);
    const headers = new Headers(init.headers);
    headers.set('content-length', String(bytes.length));
    const body = new Response(bytes).body;
    const once = { ...init, ...rest, headers, body, duplex: 'half' };
    return globalThis.fetch(url, once);
  };
}

/** Else the fetch of Node 24 fails after HTTP 401 to a stream. workerd refuses the option. */
function withoutCredentials(): RequestInit {
  const init = { credentials: 'omit' } as const;
  try {
    new Request('https://service.example', init);
    return init;
  } catch {
    return {};
  }
}

/** @throws OrderServiceError `unreadable` when the answer is too long */
async function textOf(response: Response, maxBytes: number): Promise<string> {
  const bytes = await readBytes(response, maxBytes);
  if (bytes) return new TextDecoder().decode(bytes);
  throw new OrderServiceError('unreadable', `the answer is longer than ${maxBytes} bytes`);
}
