/** The requests of the shop's backend to the relay, with the secret key. */
import type { BackendOrder } from '../../relay/contract/responses.js';
import { readEvent } from './event.js';
import { handleOnce, type EventStore, type HandleEvent } from './receive-events.js';

export type RelayAccess = {
  /** Address of the relay, as `https://shop.example/pay`. */
  relay: string;
  secret_key: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** A failure that the relay answered; `code` is `no_answer` when the relay did not answer. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

const TIMEOUT_MS = 10_000;

async function post<T>(access: RelayAccess, path: string, body: object): Promise<T> {
  const { fetch = globalThis.fetch, relay, secret_key } = access;
  const failed = (cause: unknown): never => {
    throw new RelayError('no_answer', 0, `${path}: no answer`, { cause });
  };
  const response = await fetch(relay.replace(/\/+$/, '') + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret_key}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(failed);
  const answer = (await response.json().catch(failed)) as T & {
    error?: { code: string; message: string };
  };
  if (response.ok && !answer.error) return answer;
  const { code = 'no_answer', message = `HTTP ${response.status}` } = answer.error ?? {};
  throw new RelayError(code, response.status, `${path}: ${message}`);
}

/**
 * @param expect what the shop asked for; another order is refused with `not_as_expected`
 * @returns the current order of the intent, and all its orders
 * @throws RelayError, for example `order_unknown`, `not_as_expected` or `intent_closed`
 */
export const fetchOrder = (
  access: RelayAccess,
  which: { intent_id: string } | { request_id: string },
  { expect }: { expect?: { amount: string; currency: string } } = {},
): Promise<{ order: BackendOrder; attempts: BackendOrder[] }> =>
  post(access, '/v1/query', { ...which, ...(expect && { expect }) });

export type ReconcileOptions<Tx> = RelayAccess & {
  /** Where the next reconciliation continues; kept in the shop's database. */
  cursor: {
    load(): Promise<string | null | undefined>;
    save(cursor: string): Promise<unknown>;
  };
  store: EventStore<Tx>;
  handle: HandleEvent<Tx>;
};

type Page = { events: ({ id: string } & Record<string, unknown>)[]; cursor: string; more: boolean };

/** @throws RelayError when the answer is not the relay's, for example that of a proxy */
async function listEvents(access: RelayAccess, cursor: string | undefined): Promise<Page> {
  const page = await post<Page>(access, '/v1/events', cursor === undefined ? {} : { cursor });
  const isList = Array.isArray(page.events) && typeof page.cursor === 'string';
  // with the same cursor again, `reconcile` would never end
  if (!isList || (page.more && page.cursor === cursor))
    throw new RelayError('no_answer', 200, '/v1/events: the answer is not a list of events');
  return page;
}

/**
 * Handles every event since the cursor that no webhook has delivered. An event that cannot be
 * handled delays no other event; the cursor stays before its page, so that the next reconciliation
 * tries it again.
 *
 * @returns the number of events that were read
 * @throws RelayError, or what `handle` threw first
 */
export async function reconcile<Tx>(options: ReconcileOptions<Tx>): Promise<number> {
  const failures: unknown[] = [];
  let cursor = (await options.cursor.load()) ?? undefined;
  let read = 0;
  for (let more = true; more;) {
    const page = await listEvents(options, cursor);
    for (const listed of page.events) {
      const event = readEvent(listed.id, listed);
      read++;
      if (event) await handleOnce(options, event).catch((error: unknown) => failures.push(error));
    }
    ({ cursor, more } = page);
    if (failures.length === 0) await options.cursor.save(cursor);
  }
  if (failures.length > 0) throw failures[0];
  return read;
}
