/** Posts a signed event to the shop. */
import { traceHeaders, type Trace } from '../contract/trace.js';
import type { Fetch } from '../runtime.js';
import { signMessage } from './sign.js';

export type Message = { readonly id: string; readonly body: string };

type Target = {
  readonly url: string;
  readonly secrets: readonly string[];
  /** Seconds since the epoch; the signature covers it. */
  readonly at: number;
  readonly timeoutMs: number;
  readonly trace?: Trace | undefined;
};

/**
 * @returns the shop's answer; a redirect is returned and not followed
 * @throws Error when the shop does not answer in time
 */
export function postEvent(
  fetch: Fetch,
  { id, body }: Message,
  { at, secrets, timeoutMs, trace, url }: Target,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...traceHeaders(trace),
      ...signMessage(secrets, { id, at, body }),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
}
