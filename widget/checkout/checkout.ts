/** The headless checkout: runs the effect of each state, and aborts it when the state is left. */
import type { Order } from '../../relay/contract/order.js';
import type { Customer, IntentRequest, Resume } from '../../relay/contract/requests.js';
import type { Attempts } from '../browser/attempts.js';
import type { Page } from '../browser/page.js';
import { RelayFailure, type DepositRequest, type RelayClient } from '../relay-client.js';
import { firstWait, followOrder } from './follow-order.js';
import { placeOrder } from './place-order.js';
import type { Problem } from '../problem.js';
import {
  isEnded,
  lastOrderOf,
  orderOf,
  start,
  transition,
  type CheckoutEvent,
  type State,
  type Transition,
  type Effect,
} from './flow.js';

/** What is to be paid, the deposit address to show, or the order to resume from another device. */
export type Subject = { intent: IntentRequest } | { deposit: DepositRequest } | { resume: Resume };

export type CheckoutOptions = {
  client: RelayClient;
  subject: Subject;
  attempts: Attempts;
  page: Page;
  /** Called after every change with the new state and the previous one. */
  onState: (state: State, previous: State | null) => void;
  /** Called with true while the relay cannot be asked about the order that is followed. */
  onBlind?: (blind: boolean) => void;
};

export type Checkout = {
  readonly state: State;
  start(): void;
  /** Places an order with an option; does nothing outside the phase `choosing`. */
  choose(option: string, customer?: Customer): void;
  /** Returns to the options; the current order is followed until another one replaces it. */
  chooseAgain(): void;
  backToOrder(): void;
  /**
   * Queries the order immediately.
   *
   * @returns whether the relay answered; null when there is no order to query
   */
  checkNow(): Promise<boolean | null>;
  /** Loads again; the same attempt restores the same order. */
  retry(): void;
  /** Discards the attempt and starts a new one. */
  restart(): void;
  markReceived(): void;
  /** Aborts every request. */
  stop(): void;
};

/** An effect with an equal key continues instead of starting again. */
const keyOf = (effect: Effect | null): string | null =>
  effect && (effect.kind === 'follow' ? `follow ${effect.order.request_id}` : effect.kind);

function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof RelayFailure ? { ...error, message } : { code: 'internal', message };
}

export function createCheckout({
  client,
  subject,
  attempts,
  page,
  onState,
  onBlind = () => {},
}: CheckoutOptions): Checkout {
  let current: Transition = start;
  const wait = firstWait();
  let running: { key: string; abort: AbortController } | null = null;
  /**
   * The attempt of the order that is on the screen or is being placed. It is held here, because
   * another tab may store another attempt, and an order of that attempt would not replace this one.
   */
  let held: string | undefined;

  const apply = (event: CheckoutEvent): void => {
    const previous = current.state;
    current = transition(current, event);
    const { phase } = current.state;
    // A paid or closed attempt must not be reused by the next purchase. Later answers leave the
    // stored attempt alone, because another tab may have stored it.
    if (phase !== previous.phase && isEnded(phase)) forget(held);
    run(current.effect, event.type === 'reload');
    if (current.state !== previous) onState(current.state, previous);
  };

  const forget = (only?: string): void => {
    attempts.forget(only);
    held = undefined;
  };

  const run = (effect: Effect | null, force: boolean): void => {
    const key = keyOf(effect);
    if (!force && running?.key === key) return;
    if (running) running.abort.abort();
    running = null;
    if (!effect || key === null) return;
    const abort = new AbortController();
    running = { key, abort };
    runEffect(effect, abort.signal).then(
      (event) => {
        if (event && !abort.signal.aborted) apply(event);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) apply({ type: 'failed', problem: problemOf(error) });
      },
    );
  };

  async function runEffect(effect: Effect, signal: AbortSignal): Promise<CheckoutEvent | null> {
    switch (effect.kind) {
      case 'load': {
        if ('deposit' in subject)
          return {
            type: 'deposit_loaded',
            deposit: await client.depositAddress(subject.deposit, signal),
          };
        const attempt = held ?? attempts.current();
        const answer = await ('resume' in subject
          ? client.resume(subject.resume, signal)
          : client.checkout(subject.intent, attempt, signal));
        if (answer.order) held = attempt;
        return { type: 'checkout_loaded', answer };
      }
      case 'pay': {
        if (!('intent' in subject)) return null;
        const { option, customer, expect, replaces } = effect;
        held ??= attempts.current();
        const request = {
          option,
          expect,
          attempt: held,
          ...(customer && { customer }),
          ...(replaces && {
            replaces: { request_id: replaces.request_id, order_key: replaces.order_key },
          }),
        };
        const { intent } = subject;
        const pay = (): Promise<Order> => client.pay(intent, request, signal);
        return { type: 'order_received', order: await placeOrder(pay, page, signal) };
      }
      case 'follow':
        await followOrder({
          client,
          page,
          order: effect.order,
          signal,
          wait,
          onOrder: (order) => apply({ type: 'order_received', order }),
          onBlind,
        });
        return null;
    }
  }

  return {
    get state() {
      return current.state;
    },
    start: () => {
      run(current.effect, true);
      onState(current.state, null);
    },
    choose: (option, customer) => apply({ type: 'option_chosen', option, customer }),
    chooseAgain: () => apply({ type: 'choose_again' }),
    backToOrder: () => apply({ type: 'back_to_order' }),
    checkNow: async () => {
      const order = orderOf(current.state);
      const signal = running?.abort.signal;
      if (!order || !signal) return null;
      // A transient failure is ignored: the order is still being followed.
      const latest = await client.query(order, 0, signal).catch(() => null);
      if (signal.aborted) return null;
      const answered = latest !== null && !latest.service_unreachable;
      onBlind(!answered);
      // An order that has arrived meanwhile is newer than this answer.
      if (latest && lastOrderOf(current.state) === order)
        apply({ type: 'order_received', order: latest });
      return answered;
    },
    retry: () => apply({ type: 'reload' }),
    restart: () => {
      forget();
      apply({ type: 'reload' });
    },
    markReceived: () => apply({ type: 'deposit_received' }),
    stop: () => {
      running?.abort.abort();
      running = null;
    },
  };
}
