/**
 * Mounts an operation on a path. It checks the request before the operation, and adds headers,
 * failures and one log line after it.
 */
import type { Context as HonoContext } from 'hono';
import type { z } from 'zod';
import type { Config } from '../config/schema.js';
import type { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { LoadRender } from '../contract/render.js';
import type { FindDepositAddress } from '../deposits/deposit-address.js';
import type { Order } from '../contract/order.js';
import { readTrace, traceField, type Trace } from '../contract/trace.js';
import { areEqual, sha256Of } from '../digest.js';
import { endWithFailure, securityHeaders } from '../http/errors.js';
import { checkOrigin, corsHeaders, refusalHeaders } from '../http/origin.js';
import type { LogRefusedOrigin } from '../http/sample-refusals.js';
import { readBody } from '../http/body.js';
import { beginRequest, type EndRequest } from '../http/request-log.js';
import { checkRate, type Bucket, type Limiter } from '../http/rate.js';
import type { Context } from '../orders/context.js';
import type { LongPoll } from '../orders/polling/long-poll.js';
import { asLedgerFailure } from '../orders/place-failures.js';
import type { Place } from '../orders/place.js';
import type { OrderStore } from '../orders/order-store.js';
import type { RefreshIntent } from '../orders/refresh-intent.js';
import type { ServiceState } from '../orders/service-refusals.js';
import type { Restored } from '../orders/restored/restored.js';
import { onAbort, type OnGone } from '../runtime.js';
import type { ReceiveSignal } from '../webhooks/incoming-signal.js';

/** The dependencies of the routes. */
export type RouteDeps = {
  context: Context;
  longPoll: LongPoll;
  place: Place;
  receiveSignal: ReceiveSignal;
  restored: Restored;
  refreshIntent: RefreshIntent;
  store: OrderStore;
  findDepositAddress: FindDepositAddress;
  loadRender: LoadRender;
  /** Whether the ledger could not be written when it was last tried. */
  isReadOnly: () => boolean;
  serviceState: () => ServiceState;
  limiter: Limiter | undefined;
  logRefusedOrigin: LogRefusedOrigin;
  /** Aborts when the relay stops. */
  closing: AbortSignal;
};

/** What the listener adds to a request. */
export type Bindings = {
  /** A result of `clientAddress`. */
  address?: string;
  /** Needs less memory than the request's signal, where a listener can give it. */
  onGone?: OnGone;
  /** Needs less CPU time than a `Response` with a body, which has a stream. */
  sendJson?: SendJson;
  /** For an answer that `sendJson` sends: lets the listener forget the request until then. */
  letGo?: LetGo;
};

/** Answers with JSON. */
export type SendJson = (
  body: unknown,
  init: { status: number; headers: Record<string, string> },
) => Response;

export type LetGo = (answer: Promise<Response>) => Response;

const jsonResponse: SendJson = (body, init) => Response.json(body, init);

/** One request, with what its handler needs. */
export type RequestContext = RouteDeps & {
  request: Request;
  address: string | undefined;
  /** Calls its argument when the customer has left. */
  onGone: OnGone;
  /** Whether the request carries the shop's secret key. */
  fromBackend: boolean;
  trace: Trace | undefined;
  /** Names the intent in the request's log line, also when the request fails afterwards. */
  about(intentId: string): void;
  /**
   * Counts the request against a limit. A limit of an intent also names it in the log line.
   *
   * @throws Failure `rate_limited`
   */
  limit(bucket: Bucket, key: string | undefined): Promise<void>;
};
/** @returns the body of the response */
export type Handler<T, Body = void> = (call: RequestContext, body: Body) => Promise<T>;

type Endpoints = typeof endpoints;
/** Handles a request of the shop's backend. */
export type BackendHandler<
  Name extends keyof Endpoints,
  T = z.output<Endpoints[Name]['response']>,
> = Handler<T, z.output<Endpoints[Name]['request']>>;

/** A request that has found its operation. */
type Routed = {
  readonly request: Request;
  readonly bindings: Bindings;
  /** Names the operation in the log and in the metrics. */
  readonly path: string;
};

const routedBy = (c: HonoContext): Routed => ({
  request: c.req.raw,
  bindings: (c.env ?? {}) as Bindings,
  path: c.req.path,
});

/**
 * Mounts a page's operation; pages of other sites are refused. A request with the secret key has no
 * limit by address: the shop's backend asks for many customers from one address.
 */
export const mountForPage =
  <T extends object>(deps: RouteDeps, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(deps, routedBy(c), async (call) => {
      checkOrigin(deps.context.config, call.request);
      return withAddressLimit(handle)(call);
    });

/**
 * Pages and the backend call the operation; its handler checks the secret key. A page of another
 * site is refused before it counts, so that it always reads why.
 */
const forBoth =
  <T>(handle: Handler<T>): Handler<T> =>
  async (call) => {
    if (!call.request.headers.has('authorization')) checkOrigin(call.context.config, call.request);
    return withAddressLimit(handle)(call);
  };

/**
 * Answers an operation that pages and the backend call, without the router: thousands of pages wait
 * in it, and the router's objects of each would have to be kept and collected.
 */
export const answerAt =
  <T extends object>(deps: RouteDeps, path: string, handle: Handler<T>) =>
  (request: Request, bindings: Bindings = {}): Promise<Response> =>
    answer(deps, { request, bindings, path }, forBoth(handle));

type Endpoint<Body> = { readonly request: z.ZodType<Body> };

/** Mounts an operation that needs the secret key. */
export const mountForBackend =
  <Body, T extends object>(deps: RouteDeps, endpoint: Endpoint<Body>, handle: Handler<T, Body>) =>
  (c: HonoContext): Promise<Response> =>
    answer(deps, routedBy(c), forBoth(withSecretKey(endpoint, handle)));

/** Mounts a backend's operation whose answer is HTML, and whose failures are JSON. */
export const mountHtmlForBackend =
  <Body, T extends { html: string }>(
    deps: RouteDeps,
    endpoint: Endpoint<Body>,
    handle: Handler<T, Body>,
  ) =>
  (c: HonoContext): Promise<Response> =>
    answer(
      deps,
      routedBy(c),
      withAddressLimit(withSecretKey(endpoint, handle)),
      ({ html }, headers) =>
        new Response(html, { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } }),
    );

/** Checks the secret key before it reads the body. */
export const withSecretKey =
  <Body, T>({ request: schema }: Endpoint<Body>, handle: Handler<T, Body>): Handler<T> =>
  async (call) => {
    requireSecretKey(call.context.config, call.fromBackend);
    return handle(call, await readBody(call.request, schema));
  };

/**
 * @param fromBackend the result of `hasSecretKey`
 * @throws Failure `not_configured` or `unauthorized`
 */
function requireSecretKey(config: Config, fromBackend: boolean): void {
  if (!config.secret_key) throw new Failure('not_configured', 'secret_key is not configured');
  if (!fromBackend) throw new Failure('unauthorized', 'the secret key is missing or wrong');
}

/** Whether a request carries one of the secret keys, as a Bearer credential. */
function hasSecretKey(config: Config, request: Request): boolean {
  const bearerKey = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!config.secret_key || bearerKey === undefined) return false;
  const bearerDigest = sha256Of(bearerKey);
  // every key is compared, so that the time of the comparison reveals nothing
  return config.secret_key
    .map((key) => areEqual(sha256Of(key.reveal()), bearerDigest))
    .includes(true);
}

const withAddressLimit =
  <T>(handle: Handler<T>): Handler<T> =>
  async (call) => {
    // a request with the right key has no limit; its length protects it (config/weak-secrets.ts)
    if (!call.fromBackend) await call.limit('ip', call.address);
    return handle(call);
  };

/** Mounts all other paths, with the limit by address, so that paths cannot be guessed fast. */
export const mountNoSuchPath =
  (deps: RouteDeps) =>
  (c: HonoContext): Promise<Response> =>
    // one name for all these paths: each name is a series of its own in the metrics
    answer(deps, { ...routedBy(c), path: '*' }, async (call) => {
      await call.limit('ip', call.address);
      throw new Failure('not_found', 'no such path');
    });

/**
 * Calls a handler, and answers with its body or with its failure.
 *
 * @param respond absent: the body is sent as JSON
 */
async function answer<T extends object>(
  deps: RouteDeps,
  { bindings, path, request }: Routed,
  work: Handler<T>,
  respond?: (body: T, headers: Record<string, string>) => Response,
): Promise<Response> {
  const { config } = deps.context;
  const {
    address,
    onGone = (work) => onAbort(request.signal, work),
    sendJson = jsonResponse,
  } = bindings;
  let intentId: string | undefined;
  const about = (id: string): void => {
    intentId = id;
  };
  const trace = readTrace(request.headers);
  const call: RequestContext = {
    request,
    trace,
    address,
    onGone,
    fromBackend: hasSecretKey(config, request),
    about,
    limit: (bucket, key) => {
      if (bucket === 'intent' && key !== undefined) about(key);
      return checkRate(deps.limiter, bucket, key);
    },
    // the spread comes last: with fields after it, V8 keeps a description of the object's shape for
    // each request
    ...deps,
  };
  const endRequest = beginRequest(deps.context, path);
  const end: EndRequest = (status, fields) =>
    endRequest(status, {
      ...(intentId !== undefined && { intent_id: intentId }),
      ...traceField(trace),
      ...fields,
    });
  try {
    const body = await work(call);
    const headers = {
      'x-reference': end(200, logFieldsOf(body)),
      ...corsHeaders(config, request),
      ...securityHeaders,
    };
    return respond ? respond(body, headers) : sendJson(body, { status: 200, headers });
  } catch (cause) {
    const error = asLedgerFailure(cause);
    const isPage = !request.headers.has('authorization');
    const supportUrl = isPage ? config.shop.support_url : undefined;
    const { status, body, headers: ofFailure } = endWithFailure(end, error, supportUrl);
    const headers = { ...corsHeaders(config, request), ...ofFailure };
    if (body.error.code !== 'origin_refused') return sendJson(body, { status, headers });
    deps.logRefusedOrigin(request.headers.get('origin') ?? '');
    return sendJson(body, { status, headers: { ...headers, ...refusalHeaders(request) } });
  }
}

/** The fields of the log line that name the order in an answer. */
function logFieldsOf(body: object): Partial<Order> {
  const { order } = body as { order?: Order };
  if (!order) return {};
  const { intent_id, outcome, request_id } = order;
  return { intent_id, request_id, outcome };
}
