/**
 * Mounts one operation: gates before; failures, headers, one line of log and its reference after.
 */
import type { Context as HonoContext } from 'hono';
import { Failure } from '../contract/failure.js';
import type { FindDepositAddress } from '../deposits/deposit-address.js';
import { endWithFailure } from '../http/errors.js';
import { securityHeaders } from '../http/headers.js';
import { checkOrigin, corsHeaders } from '../http/origin.js';
import { hasSecretKey } from '../http/auth.js';
import { begin } from '../http/request-log.js';
import { checkRate, type Bucket, type Limiter } from '../http/rate.js';
import type { Context } from '../orders/context.js';
import type { LongPoll } from '../orders/polling/long-poll.js';
import type { Place } from '../orders/place.js';
import type { Restored } from '../orders/restored.js';
import type { ReceiveSignal } from '../webhooks/incoming-signal.js';

export type RouteDeps = {
  context: Context;
  longPoll: LongPoll;
  place: Place;
  receiveSignal: ReceiveSignal;
  restored: Restored;
  findDepositAddress: FindDepositAddress;
  limiter: Limiter | undefined;
  /** Aborts when the relay stops. */
  closing: AbortSignal;
};

/** What the listener knows of a request beyond the request; `address` as clientAddress gives it. */
export type Bindings = { address?: string };

/** One request on its way. */
export type RequestContext = RouteDeps & {
  request: Request;
  address: string | undefined;
  /** The request carries the shop's secret key. */
  fromBackend: boolean;
  /** @throws Failure `rate_limited` */
  limit(bucket: Bucket, key: string | undefined): Promise<void>;
};
export type Handler<T> = (call: RequestContext) => Promise<T>;

/** A page's operation: another site's page gets nothing. */
export const mountForPage =
  <T>(deps: RouteDeps, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(deps, c, async (call) => {
      await call.limit('ip', call.address);
      checkOrigin(deps.context.config, call.request);
      return handle(call);
    });

/** A backend's operation: it is the handler that asks for the secret key. */
export const mountForBackend =
  <T>(deps: RouteDeps, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(deps, c, async (call) => {
      // the shop's backend is known by its key, and has no limit but its own; a wrong key is
      // guessed no faster than anything else
      if (!call.fromBackend) await call.limit('ip', call.address);
      return handle(call);
    });

/** Any other path: paths are guessed no faster than anything else is asked. */
export const mountNoSuchPath =
  (deps: RouteDeps) =>
  (c: HonoContext): Promise<Response> =>
    // one name for all of them, since each path would be a series of its own in the metrics
    answer(
      deps,
      c,
      async (call) => {
        await call.limit('ip', call.address);
        throw new Failure('not_found', 'no such path');
      },
      '*',
    );

async function answer<T>(
  deps: RouteDeps,
  c: HonoContext,
  work: (call: RequestContext) => Promise<T>,
  path = c.req.path,
): Promise<Response> {
  const { config } = deps.context;
  const request = c.req.raw;
  const call: RequestContext = {
    ...deps,
    request,
    address: (c.env as Bindings | undefined)?.address,
    fromBackend: await hasSecretKey(config, request),
    limit: (bucket, key) => checkRate(deps.limiter, bucket, key),
  };
  const end = begin(deps.context, path);
  const all = (reference: string): Record<string, string> => ({
    ...securityHeaders,
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
