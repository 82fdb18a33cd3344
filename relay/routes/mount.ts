/**
 * Mounts one operation: gates before; failures, headers, one line of log and its reference after.
 */
import type { Context as HonoContext } from 'hono';
import { Failure, failureStatuses, type FailureBody } from '../contract/failure.js';
import type { FindDepositAddress } from '../deposits/deposit-address.js';
import { checkOrigin, corsHeaders } from '../http/origin.js';
import { hasSecretKey } from '../http/auth.js';
import { checkRate, type Bucket, type Limiter } from '../http/rate.js';
import type { Context } from '../orders/context.js';
import type { Follow } from '../orders/polling/long-poll.js';
import type { Place } from '../orders/place.js';
import type { Restored } from '../orders/restored.js';

export type Given = {
  context: Context;
  follow: Follow;
  place: Place;
  restored: Restored;
  findDepositAddress: FindDepositAddress;
  limiter: Limiter | undefined;
  /** Aborts when the relay stops. */
  closing: AbortSignal;
};

/** What the listener knows of a request beyond the request; `address` as clientAddress gives it. */
export type Bindings = { address?: string };

/** One request on its way. */
export type Call = Given & {
  request: Request;
  address: string | undefined;
  /** The request carries the shop's secret key. */
  fromBackend: boolean;
  /** @throws Failure `rate_limited` */
  limit(bucket: Bucket, key: string | undefined): Promise<void>;
};
export type Handler<T> = (call: Call) => Promise<T>;

/** For an answer that nothing but a page's script reads. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A page's operation: another site's page gets nothing. */
export const mountForPage =
  <T>(given: Given, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(given, c, async (call) => {
      await call.limit('ip', call.address);
      checkOrigin(given.context.config, call.request);
      return handle(call);
    });

/** A backend's operation: it is the handler that asks for the secret key. */
export const mountForBackend =
  <T>(given: Given, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(given, c, async (call) => {
      // the shop's backend is known by its key, and has no limit but its own; a wrong key is
      // guessed no faster than anything else
      if (!call.fromBackend) await call.limit('ip', call.address);
      return handle(call);
    });

/** Any other path: paths are guessed no faster than anything else is asked. */
export const mountNoSuchPath =
  (given: Given) =>
  (c: HonoContext): Promise<Response> =>
    // one name for all of them, since each path would be a series of its own in the metrics
    answer(
      given,
      c,
      async (call) => {
        await call.limit('ip', call.address);
        throw new Failure('not_found', 'no such path');
      },
      '*',
    );

async function answer<T>(
  given: Given,
  c: HonoContext,
  work: (call: Call) => Promise<T>,
  path = c.req.path,
): Promise<Response> {
  const { config } = given.context;
  const request = c.req.raw;
  const call: Call = {
    ...given,
    request,
    address: (c.env as Bindings | undefined)?.address,
    fromBackend: await hasSecretKey(config, request),
    limit: (bucket, key) => checkRate(given.limiter, bucket, key),
  };
  const end = begin(given.context, path);
  const all = (reference: string): Record<string, string> => ({
    ...headers,
    ...corsHeaders(config, request),
    'x-reference': reference,
  });
  try {
    const body = await work(call);
    return Response.json(body, { headers: all(end(200, subjectOf(body))) });
  } catch (error) {
    const { status, body } = endWithFailure(end, error);
    const retry: Record<string, string> = status === 429 ? { 'retry-after': '60' } : {};
    return Response.json(body, { status, headers: { ...all(body.error.reference), ...retry } });
  }
}

/** Ends a request's line of log. @returns its reference, which the customer sees too */
type End = (status: number, fields?: Record<string, unknown>) => string;

export function begin({ clock, log, metrics }: Context, path: string): End {
  const reference = crypto.randomUUID().slice(0, 8);
  const began = clock.elapsed();
  return (status, fields) => {
    const ms = Math.round(clock.elapsed() - began);
    log(status >= 500 ? 'error' : 'info', 'request', { reference, path, status, ms, ...fields });
    metrics.add('requests', 1, { path, status: String(status) });
    metrics.observe('request_seconds', ms / 1000, { path });
    return reference;
  };
}

export function endWithFailure(end: End, error: unknown): { status: number; body: FailureBody } {
  if (error instanceof Failure) {
    const { code, field, message, outcome } = error;
    const status = failureStatuses[code];
    // a page may call a field whatever it likes: only a name of our own stands in the log
    const known = field === undefined || /^[a-z_.]{1,40}$/.test(field) ? field : '(withheld)';
    return {
      status,
      body: {
        error: {
          code,
          message,
          ...(field ? { field } : {}),
          ...(outcome ? { outcome } : {}),
          reference: end(status, { code, field: known }),
        },
      },
    };
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const reference = end(500, { code: 'internal', error: told });
  return {
    status: 500,
    body: {
      error: {
        code: 'internal',
        message: 'the relay failed; the reference is in its log',
        reference,
      },
    },
  };
}

/** The order that an answer speaks of. */
function subjectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || !('order' in body)) return {};
  const { order } = body;
  if (
    typeof order !== 'object' ||
    order === null ||
    !('request_id' in order) ||
    !('outcome' in order)
  )
    return {};
  return { request_id: order.request_id, outcome: order.outcome };
}
