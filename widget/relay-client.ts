/** Calls the relay; every answer is checked against the contract before it is used. */
import type { Order } from '../relay/contract/order.js';
import { paths } from '../relay/contract/paths.js';
import {
  ContractError,
  readCheckout,
  readDepositAddress,
  readFailure,
  readOrder,
  readQueried,
} from '../relay/contract/read.js';
import type { Customer, IntentRequest, Resume } from '../relay/contract/requests.js';
import type { CheckoutResponse, DepositAddress } from '../relay/contract/responses.js';
import type { Problem, ProblemCode } from './problem.js';
import { limited } from './timing.js';

/** Thrown by a call that fails; an aborted call throws the reason of its signal instead. */
export class RelayFailure extends Error {
  readonly code: ProblemCode;
  readonly reference!: string | undefined;
  readonly field!: string | undefined;
  readonly outcome!: string | undefined;
  readonly notice!: Problem['notice'];
  readonly support_url!: string | undefined;
  constructor(code: ProblemCode, message: string, detail: Omit<Problem, 'code' | 'message'> = {}) {
    super(message);
    this.code = code;
    Object.assign(this, detail);
  }
}

export type PayRequest = {
  option: string;
  expect: { amount: string; currency: string };
  attempt: string;
  customer?: Customer;
  replaces?: Resume;
};
export type DepositRequest = { currency: string; deposit_token?: string; customer_ref_id?: string };

export type RelayClient = {
  /** @param waitS for how many seconds longer, or less when negative, the answer may take */
  checkout(
    intent: IntentRequest,
    attempt: string,
    signal: AbortSignal,
    waitS?: number,
  ): Promise<CheckoutResponse>;
  /** Loads an order by its key, which a link for another device carries. */
  resume(resume: Resume, signal: AbortSignal): Promise<CheckoutResponse>;
  pay(intent: IntentRequest, request: PayRequest, signal: AbortSignal): Promise<Order>;
  /** @param waitS for how many seconds the answer may wait for a change */
  query(known: Order, waitS: number, signal: AbortSignal): Promise<Order>;
  depositAddress(request: DepositRequest, signal: AbortSignal): Promise<DepositAddress>;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Reads the function at each call: the page may replace it. */
export const pageFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/** How much later than it was due an answer may come; the call then fails. */
export const MAX_LATE_MS = 15_000;

/**
 * @param relay the relay's URL
 * @param ownFetch replaces the browser's `fetch`
 */
export function createRelayClient(relay: string, ownFetch?: Fetch): RelayClient {
  const fetch = ownFetch ?? pageFetch;
  const base = relay.replace(/\/+$/, '');
  const { origin } = globalThis.location ?? {};
  // only a browser sends its origin, which the relay needs for a text
  const isElsewhere = !ownFetch && origin !== undefined && !relay.startsWith(`${origin}/`);
  async function call<T>(
    path: string,
    body: object,
    signal: AbortSignal,
    read: (value: unknown) => T,
    { isSimple = false, waitS = 0 }: { isSimple?: boolean; waitS?: number | undefined } = {},
  ): Promise<T> {
    let response: Response;
    let value: unknown;
    const limit = limited(waitS * 1000 + MAX_LATE_MS, signal);
    try {
      response = await fetch(base + path, {
        method: 'POST',
        // without this header the type is text/plain
        headers: isSimple ? {} : { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        credentials: 'omit',
        signal: limit.signal,
      });
      value = await response.json().catch(() => undefined);
    } catch (error) {
      signal.throwIfAborted();
      throw new RelayFailure(
        'relay_unreachable',
        error instanceof Error ? error.message : 'no answer',
      );
    } finally {
      limit.release();
    }
    signal.throwIfAborted();
    if (!response.ok) {
      const failure = readFailure(value);
      if (failure) throw new RelayFailure(failure.code, failure.message, failure);
      throw new RelayFailure('relay_unreachable', `HTTP ${response.status} without a failure body`);
    }
    // A network that asks for a login answers in HTML, in the place of the relay.
    if (value === undefined)
      throw new RelayFailure('relay_unreachable', `HTTP ${response.status} without JSON`);
    try {
      return read(value);
    } catch (error) {
      if (error instanceof ContractError)
        throw new RelayFailure(
          'contract_mismatch',
          error.message,
          error.older ? { field: 'contract' } : {},
        );
      throw error;
    }
  }
  /**
   * Asks a relay of another origin with a text: a browser would first ask for leave to send JSON,
   * which costs a slow phone half a second. A relay refuses the text when it was restored, and when
   * it comes without an origin.
   */
  const checkout = async (
    body: object,
    signal: AbortSignal,
    waitS?: number,
  ): Promise<CheckoutResponse> => {
    const ask = (isSimple: boolean) =>
      call(paths.checkout, body, signal, readCheckout, { isSimple, waitS });
    if (!isElsewhere) return ask(false);
    return ask(true).catch((error: unknown) => {
      if (error instanceof RelayFailure && error.code === 'content_type_refused') return ask(false);
      throw error;
    });
  };
  return {
    checkout: (intent, attempt, signal, waitS) => checkout({ ...intent, attempt }, signal, waitS),
    resume: (resume, signal) => checkout({ resume }, signal),
    pay: (intent, request, signal) => call(paths.pay, { ...intent, ...request }, signal, readOrder),
    query: (known, waitS, signal) => {
      const { order_key, request_id, status, version } = known;
      const request = {
        request_id,
        order_key,
        ...(version === undefined ? { known_status: status } : { known_version: version }),
        ...(waitS > 0 && { wait: waitS }),
      };
      return call(paths.query, request, signal, readQueried(known), { waitS });
    },
    depositAddress: (request, signal) =>
      call(paths.depositAddress, request, signal, readDepositAddress),
  };
}
