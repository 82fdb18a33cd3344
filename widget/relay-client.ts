/** Calls the relay; every answer is checked against the contract before it is used. */
import type { Order } from '../relay/contract/order.js';
import { paths } from '../relay/contract/paths.js';
import {
  ContractError,
  readCheckout,
  readDepositAddress,
  readFailure,
  readOrder,
} from '../relay/contract/read.js';
import type { Customer, IntentRequest, Resume } from '../relay/contract/requests.js';
import type { CheckoutResponse, DepositAddress } from '../relay/contract/responses.js';
import type { Problem, ProblemCode } from './problem.js';
import { limited } from './timing.js';

/** Thrown by a call that fails; an aborted call throws the reason of its signal instead. */
export class RelayFailure extends Error {
  readonly code: ProblemCode;
  readonly reference: string | undefined;
  readonly field: string | undefined;
  readonly outcome: string | undefined;
  readonly support_url: string | undefined;
  constructor(code: ProblemCode, message: string, detail: Omit<Problem, 'code' | 'message'> = {}) {
    super(message);
    this.code = code;
    this.reference = detail.reference;
    this.field = detail.field;
    this.outcome = detail.outcome;
    this.support_url = detail.support_url;
  }
}

export type PayRequest = {
  option: string;
  expect: { amount: string; currency: string };
  attempt: string;
  customer?: Customer;
  replaces?: Resume;
};
export type QueryRequest = {
  request_id: string;
  order_key: string;
  known_status?: number | null;
  wait?: number;
};
export type DepositRequest = { currency: string; deposit_token?: string; customer_ref_id?: string };

export type RelayClient = {
  checkout(intent: IntentRequest, attempt: string, signal: AbortSignal): Promise<CheckoutResponse>;
  /** Loads an order by its key, which a link for another device carries. */
  resume(resume: Resume, signal: AbortSignal): Promise<CheckoutResponse>;
  pay(intent: IntentRequest, request: PayRequest, signal: AbortSignal): Promise<Order>;
  query(request: QueryRequest, signal: AbortSignal): Promise<Order>;
  depositAddress(request: DepositRequest, signal: AbortSignal): Promise<DepositAddress>;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How much later than it was due an answer may come; the call then fails. */
export const MAX_LATE_MS = 15_000;

/** @param relay the relay's URL, without a slash at its end */
export function createRelayClient(
  relay: string,
  fetch: Fetch = (url, init) => globalThis.fetch(url, init),
): RelayClient {
  async function call<T>(
    path: string,
    body: object,
    signal: AbortSignal,
    read: (value: unknown) => T,
    waitS = 0,
  ): Promise<T> {
    let response: Response;
    let value: unknown;
    const limit = limited(waitS * 1000 + MAX_LATE_MS, signal);
    try {
      response = await fetch(relay + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
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
  return {
    checkout: (intent, attempt, signal) =>
      call(paths.checkout, { ...intent, attempt }, signal, readCheckout),
    resume: (resume, signal) => call(paths.checkout, { resume }, signal, readCheckout),
    pay: (intent, request, signal) => call(paths.pay, { ...intent, ...request }, signal, readOrder),
    query: (request, signal) => call(paths.query, request, signal, readOrder, request.wait),
    depositAddress: (request, signal) =>
      call(paths.depositAddress, request, signal, readDepositAddress),
  };
}
