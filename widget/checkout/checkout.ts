/** The headless checkout: carries out the flow's work; leaving a state's work aborts it. */
import type { Customer, IntentRequest, Resume } from '../../relay/contract/requests.js';
import type { Attempts } from '../browser/attempts.js';
import type { Page } from '../browser/page.js';
import { RelayFailure, type DepositAsk, type RelayClient } from '../relay-client.js';
import { followOrder } from './follow-order.js';
import type { Problem } from '../problem.js';
import { orderOf, start, step, type Fact, type State, type Step, type Work } from './flow.js';

/**
 * What is to be paid, which deposit address is to be shown, or which order is resumed here from
 * another device.
 */
export type Subject = { intent: IntentRequest } | { deposit: DepositAsk } | { resume: Resume };

export type CheckoutOptions = {
  client: RelayClient;
  subject: Subject;
  attempts: Attempts;
  page: Page;
  /** Called after every change, with the state before it. */
  onState: (state: State, previous: State | null) => void;
};

export type Checkout = {
  readonly state: State;
  start(): void;
  /** Places an order by an option; does nothing unless the customer is choosing. */
  choose(option: string, customer?: Customer): void;
  /** Back to the options; the present order stays followed until another replaces it. */
  chooseAgain(): void;
  backToOrder(): void;
  /**
   * Asks the relay about the order at once.
   *
   * @returns whether it answered; null when there was nothing to ask
   */
  checkNow(): Promise<boolean | null>;
  /** Loads again; the same attempt brings the same order back. */
  retry(): void;
  /** Forgets the attempt and begins anew. */
  restart(): void;
  markReceived(): void;
  /** Ends everything under way. */
  stop(): void;
};

const keyOf = (work: Work | null): string | null =>
  work && (work.kind === 'follow' ? `follow ${work.order.request_id}` : work.kind);

export function problemOf(error: unknown): Problem {
  if (!(error instanceof RelayFailure))
    return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
  const { code, field, message, outcome, reference } = error;
  return { code, message, field, reference, outcome };
}

export function createCheckout({
  client,
  subject,
  attempts,
  page,
  onState,
}: CheckoutOptions): Checkout {
  let current: Step = start;
  let running: { key: string; abort: AbortController } | null = null;

  const tell = (fact: Fact): void => {
    const previous = current.state;
    current = step(current, fact);
    // an attempt ends where it was shown to be paid
    if (current.state.phase === 'succeeded' && previous.phase !== 'succeeded') attempts.forget();
    run(current.work, fact.type === 'reload');
    if (current.state !== previous) onState(current.state, previous);
  };

  const run = (work: Work | null, anew: boolean): void => {
    const key = keyOf(work);
    if (!anew && running?.key === key) return;
    if (running) running.abort.abort();
    running = null;
    if (!work || key === null) return;
    const abort = new AbortController();
    running = { key, abort };
    carryOut(work, abort.signal).then(
      (fact) => {
        if (fact && !abort.signal.aborted) tell(fact);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) tell({ type: 'failed', problem: problemOf(error) });
      },
    );
  };

  async function carryOut(work: Work, signal: AbortSignal): Promise<Fact | null> {
    switch (work.kind) {
      case 'load':
        if ('deposit' in subject)
          return {
            type: 'deposit_loaded',
            deposit: await client.depositAddress(subject.deposit, signal),
          };
        return {
          type: 'checkout_loaded',
          answer: await ('resume' in subject
            ? client.resume(subject.resume, signal)
            : client.checkout(subject.intent, attempts.current(), signal)),
        };
      case 'pay': {
        if (!('intent' in subject)) return null;
        const { option, customer, replaces } = work;
        const named = replaces && {
          request_id: replaces.request_id,
          order_key: replaces.order_key,
        };
        const ask = {
          option,
          attempt: attempts.current(),
          ...(customer ? { customer } : {}),
          ...(named ? { replaces: named } : {}),
        };
        return { type: 'order_heard', order: await client.pay(subject.intent, ask, signal) };
      }
      case 'follow':
        await followOrder({
          client,
          page,
          order: work.order,
          signal,
          onOrder: (order) => tell({ type: 'order_heard', order }),
        });
        return null;
    }
  }

  return {
    get state() {
      return current.state;
    },
    start: () => {
      run(current.work, true);
      onState(current.state, null);
    },
    choose: (option, customer) => tell({ type: 'option_chosen', option, customer }),
    chooseAgain: () => tell({ type: 'choose_again' }),
    backToOrder: () => tell({ type: 'back_to_order' }),
    checkNow: async () => {
      const order = orderOf(current.state);
      const signal = running?.abort.signal;
      if (!order || !signal) return null;
      // a transient failure changes nothing: following goes on
      const heard = await client
        .query({ request_id: order.request_id, order_key: order.order_key }, signal)
        .catch(() => null);
      if (signal.aborted) return null;
      if (heard) tell({ type: 'order_heard', order: heard });
      return heard !== null;
    },
    retry: () => tell({ type: 'reload' }),
    restart: () => {
      attempts.forget();
      tell({ type: 'reload' });
    },
    markReceived: () => tell({ type: 'deposit_received' }),
    stop: () => {
      running?.abort.abort();
      running = null;
    },
  };
}
