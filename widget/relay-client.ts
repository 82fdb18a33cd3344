/** Speaks the contract with the relay; every answer is read before it is believed. */
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

/** Thrown by every call that gives no result; aborting throws the signal's reason instead. */
export class RelayFailure extends Error {
  readonly code: ProblemCode;
  readonly reference: string | undefined;
  readonly field: string | undefined;
  readonly outcome: string | undefined;
  constructor(
    code: ProblemCode,
    message: string,
    detail: Pick<Problem, 'reference' | 'field' | 'outcome'> = {},
  ) {
    super(message);
    this.code = code;
    this.reference = detail.reference;
    this.field = detail.field;
    this.outcome = detail.outcome;
  }
}

export type PayAsk = { option: string; attempt: string; customer?: Customer; replaces?: Resume };
export type QueryAsk = {
  request_id: string;
  order_key: string;
  known_status?: number | null;
  wait?: number;
};
export type DepositAsk = { currency: string; deposit_token?: string; customer_ref_id?: string };

export type RelayClient = {
  checkout(intent: IntentRequest, attempt: string, signal: AbortSignal): Promise<CheckoutResponse>;
  /** An order by its key, as a link from another device carries it. */
  resume(resume: Resume, signal: AbortSignal): Promise<CheckoutResponse>;
  pay(intent: IntentRequest, ask: PayAsk, signal: AbortSignal): Promise<Order>;
  query(ask: QueryAsk, signal: AbortSignal): Promise<Order>;
  depositAddress(ask: DepositAsk, signal: AbortSignal): Promise<DepositAddress>;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Milliseconds beyond which an answer is not waited for, above the relay's own longest. */
const MAX_CALL_MS = 40_000;

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
  ): Promise<T> {
    let response: Response;
    let value: unknown;
    try {
      response = await fetch(relay + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        credentials: 'omit',
        signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_CALL_MS)]),
      });
      value = await response.json().catch(() => null);
    } catch (error) {
      signal.throwIfAborted();
      throw new RelayFailure(
        'relay_unreachable',
        error instanceof Error ? error.message : 'no answer',
      );
    }
    signal.throwIfAborted();
    if (!response.ok) {
      const failure = readFailure(value);
      if (failure) throw new RelayFailure(failure.code, failure.message, failure);
      throw new RelayFailure('relay_unreachable', `HTTP ${response.status} without a failure body`);
    }
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
    pay: (intent, ask, signal) => call(paths.pay, { ...intent, ...ask }, signal, readOrder),
    query: (ask, signal) => call(paths.query, ask, signal, readOrder),
    depositAddress: (ask, signal) => call(paths.depositAddress, ask, signal, readDepositAddress),
  };
}
