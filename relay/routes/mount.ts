/** Mounts one operation: origin gate before, failures and headers after. */
import type { Context as HonoContext } from 'hono';
import { Failure, failureStatuses, type FailureBody } from '../contract/failure.js';
import type { FindDepositAddress } from '../deposits/deposit-address.js';
import { checkOrigin, corsHeaders } from '../gates/origin.js';
import { checkRate, type Limiter } from '../gates/rate.js';
import type { Context } from '../orders/context.js';
import type { Follow } from '../orders/follow.js';
import type { Place } from '../orders/place.js';

export type Given = {
  context: Context;
  follow: Follow;
  place: Place;
  findDepositAddress: FindDepositAddress;
  limiter: Limiter | undefined;
};

/** What the listener knows of a request beyond the request; `address` as clientAddress gives it. */
export type Bindings = { address?: string };
export type Handler<T> = (given: Given, request: Request) => Promise<T>;

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** A page's operation: another site's page gets nothing. */
export const mountForPage =
  <T>(given: Given, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(given, c, async () => {
      await checkRate(given.limiter, (c.env as Bindings | undefined)?.address);
      checkOrigin(given.context.config, c.req.raw);
      return handle(given, c.req.raw);
    });

/** A backend's operation: it is the handler that asks for the secret key. */
export const mountForBackend =
  <T>(given: Given, handle: Handler<T>) =>
  (c: HonoContext): Promise<Response> =>
    answer(given, c, async () => {
      // the shop's backend is known by its key, and has no limit but its own
      if (!c.req.raw.headers.has('authorization')) await checkRate(given.limiter, (c.env as Bindings | undefined)?.address);
      return handle(given, c.req.raw);
    });

async function answer<T>(given: Given, c: HonoContext, work: () => Promise<T>): Promise<Response> {
  const cors = corsHeaders(given.context.config, c.req.raw);
  try {
    return Response.json(await work(), { headers: { ...headers, ...cors } });
  } catch (error) {
    const { status, body } = failureBody(given.context, c.req.path, error);
    return Response.json(body, { status, headers: { ...headers, ...cors } });
  }
}

/** The reference stands in the log and in front of the customer. */
export function failureBody({ log }: Context, path: string, error: unknown): { status: number; body: FailureBody } {
  const reference = crypto.randomUUID().slice(0, 8);
  if (error instanceof Failure) {
    const { code, field, message } = error;
    log('info', 'failure', { reference, path, code, field });
    return { status: failureStatuses[code], body: { error: { code, message, ...(field ? { field } : {}), reference } } };
  }
  log('error', 'failure', {
    reference,
    path,
    code: 'internal',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return { status: 500, body: { error: { code: 'internal', message: 'the relay failed; the reference is in its log', reference } } };
}
