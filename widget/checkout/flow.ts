/** State machine of the checkout, without side effects: (state, fact) → {state, work}. */
import type { Order, Outcome } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { CheckoutResponse, DepositAddress } from '../../relay/contract/responses.js';
import type { Problem } from '../problem.js';

export type Offer = CheckoutResponse['checkout'];

/** Phases that show an order. */
export type OrderPhase =
  'confirming' | 'awaiting_payment' | 'succeeded' | 'failed' | 'expired' | 'unmapped' | 'review';

export type State =
  | { phase: 'loading' }
  /** `replaces`: order that the next choice replaces. */
  | { phase: 'choosing'; offer: Offer; replaces: Order | null }
  /** `order`: placed, but its next action is not known yet. */
  | { phase: 'submitting'; offer: Offer; order: Order | null; option: string }
  | { phase: OrderPhase; offer: Offer; order: Order }
  | { phase: 'showing_deposit_address'; deposit: DepositAddress; received: boolean }
  | { phase: 'problem'; problem: Problem; offer: Offer | null };

export type Phase = State['phase'];

export const offerOf = (state: State): Offer | null => ('offer' in state ? state.offer : null);
export const orderOf = (state: State): Order | null => ('order' in state ? state.order : null);

export type Fact =
  | { type: 'checkout_loaded'; answer: CheckoutResponse }
  | { type: 'deposit_loaded'; deposit: DepositAddress }
  | { type: 'option_chosen'; option: string; customer?: Customer | undefined }
  | { type: 'order_received'; order: Order }
  | { type: 'failed'; problem: Problem }
  | { type: 'choose_again' }
  | { type: 'back_to_order' }
  | { type: 'deposit_received' }
  | { type: 'reload' };

/** Side effect that runs during a state; it is aborted when the next state needs another one. */
export type Work =
  | { kind: 'load' }
  | { kind: 'pay'; option: string; customer?: Customer | undefined; replaces: Order | null }
  | { kind: 'follow'; order: Order };

export type Step = { state: State; work: Work | null };

export const start: Step = { state: { phase: 'loading' }, work: { kind: 'load' } };

/** A fact that does not fit the state changes nothing, for example a second click. */
export function step({ state, work }: Step, fact: Fact): Step {
  switch (fact.type) {
    case 'reload':
      return start;
    case 'failed':
      return {
        state: {
          phase: 'problem',
          problem: fact.problem,
          offer: offerOf(state),
        },
        work: null,
      };
    case 'deposit_loaded':
      return {
        state: { phase: 'showing_deposit_address', deposit: fact.deposit, received: false },
        work: null,
      };
    case 'deposit_received':
      return state.phase === 'showing_deposit_address'
        ? { state: { ...state, received: true }, work }
        : { state, work };
    case 'checkout_loaded': {
      const { checkout: offer, order } = fact.answer;
      return order
        ? withOrder(offer, order)
        : { state: { phase: 'choosing', offer, replaces: null }, work: null };
    }
    case 'option_chosen':
      if (state.phase !== 'choosing') return { state, work };
      return {
        state: { phase: 'submitting', offer: state.offer, order: null, option: fact.option },
        work: {
          kind: 'pay',
          option: fact.option,
          customer: fact.customer,
          replaces: state.replaces,
        },
      };
    case 'order_received':
      // Another order of the intent was paid; loading the checkout again returns that order.
      if (fact.order.paid_by !== undefined && state.phase !== 'succeeded') return start;
      return 'offer' in state && state.offer && state.phase !== 'problem'
        ? receiveOrder(state, fact.order)
        : { state, work };
    case 'choose_again':
      if (!('order' in state) || !state.order || state.phase === 'succeeded')
        return { state, work };
      return {
        state: { phase: 'choosing', offer: state.offer, replaces: state.order },
        work: { kind: 'follow', order: state.order },
      };
    case 'back_to_order':
      return state.phase === 'choosing' && state.replaces
        ? withOrder(state.offer, state.replaces)
        : { state, work };
  }
}

function receiveOrder(
  state: Exclude<State, { phase: 'problem' | 'loading' | 'showing_deposit_address' }>,
  order: Order,
): Step {
  // During a new choice, the earlier order is shown only when it succeeds.
  if (state.phase === 'choosing' && order.outcome !== 'succeeded')
    return {
      state: { ...state, replaces: state.replaces && order },
      work: state.replaces ? { kind: 'follow', order } : null,
    };
  // Success is the only final phase.
  if (state.phase === 'succeeded') return { state, work: null };
  return withOrder(state.offer, order);
}

const PHASES: Record<Exclude<Outcome, 'pending'>, OrderPhase> = {
  confirming: 'confirming',
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'expired',
  unmapped: 'unmapped',
  review: 'review',
};

function withOrder(offer: Offer, order: Order): Step {
  const work: Work | null = order.outcome === 'succeeded' ? null : { kind: 'follow', order };
  if (order.outcome !== 'pending')
    return { state: { phase: PHASES[order.outcome], offer, order }, work };
  if (order.next_action === null)
    return { state: { phase: 'submitting', offer, order, option: order.option }, work };
  return { state: { phase: 'awaiting_payment', offer, order }, work };
}
