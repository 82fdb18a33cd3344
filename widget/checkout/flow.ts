/** State machine of the checkout, without side effects: (state, event) → {state, effect}. */
import type { Order } from '../../relay/contract/order.js';
import { MAX_TYPED_CHARACTERS } from '../../relay/contract/customer.js';
import type { Customer } from '../../relay/contract/requests.js';
import type {
  CheckoutResponse,
  CustomerField,
  DepositAddress,
} from '../../relay/contract/responses.js';
import type { Problem } from '../problem.js';

export type Offer = CheckoutResponse['checkout'];

/** Phases that show an order. */
export type OrderPhase =
  'confirming' | 'awaiting_payment' | 'succeeded' | 'failed' | 'expired' | 'unmapped' | 'review';

export type State =
  /** The page does not name yet what is to be paid. */
  | { phase: 'waiting' }
  | { phase: 'loading' }
  /**
   * `replaces`: order that the next choice replaces. `wrong`: contact data that cannot be used, as
   * it was typed.
   */
  | { phase: 'choosing'; offer: Offer; replaces: Order | null; wrong?: Customer }
  /** `order`: placed, but its next action is not known yet. */
  | { phase: 'submitting'; offer: Offer; order: Order | null; option: string }
  | { [P in OrderPhase]: { phase: P; offer: Offer; order: Order } }[OrderPhase]
  /** `order`: null when the shop closed the intent before an order was placed. */
  | { phase: 'closed'; offer: Offer | null; order: Order | null; support_url?: string | undefined }
  | { phase: 'showing_deposit_address'; deposit: DepositAddress; received: boolean }
  | { phase: 'problem'; problem: Problem; offer: Offer | null };

export type Phase = State['phase'];

/** What each phase ends: the work of a link, or the attempt too. The script does not contain it. */
type Ends = {
  waiting: null;
  loading: null;
  choosing: null;
  submitting: null;
  confirming: null;
  awaiting_payment: null;
  succeeded: 'attempt';
  failed: 'link';
  expired: 'link';
  unmapped: null;
  review: 'link';
  closed: 'attempt';
  showing_deposit_address: null;
  problem: null;
};
/** A phase that `Ends` lacks does not compile here. */
type Ending<What> = { [P in Phase]: Ends[P] extends What ? P : never }[Phase];
export type LastPhaseOfLink = Ending<'attempt' | 'link'>;

const ENDED: Readonly<Record<Ending<'attempt'>, 1>> = { succeeded: 1, closed: 1 };

/** Whether the attempt is over: a page that is opened again begins another one. */
export const isEnded = (phase: Phase): boolean => phase in ENDED;

/** A page that fetches its cart again may unset what is paid for so long. */
export const MAX_UNSET_MS = 5000;

/** Whether nothing is to be paid any more: the order is paid, or the deposit was received. */
export const isPaid = (state: State): boolean =>
  state.phase === 'succeeded' || ('received' in state && state.received);

/** The offer of a state that has one. */
export const offerOf = (state: State): Offer | null => ('offer' in state ? state.offer : null);

/** The state's order, or the order that the customer is about to replace. */
export const lastOrderOf = (state: State): Order | null =>
  'replaces' in state ? state.replaces : orderOf(state);

/** The contact data that cannot be used; another object after each time that it was sent. */
export const wrongOf = (state: State | null): Customer | undefined =>
  state?.phase === 'choosing' ? state.wrong : undefined;

/** The state's order. */
export const orderOf = (state: State): Order | null => ('order' in state ? state.order : null);

export type CheckoutEvent =
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
export type Effect =
  | { kind: 'load' }
  | {
      kind: 'pay';
      option: string;
      customer?: Customer | undefined;
      replaces: Order | null;
      /** What the customer has seen; the relay places no order for another amount. */
      expect: Pick<Offer, 'amount' | 'currency'>;
    }
  | { kind: 'follow'; order: Order };

export type Transition = { state: State; effect: Effect | null };

export const start: Transition = { state: { phase: 'loading' }, effect: { kind: 'load' } };

/** An event that does not fit the state changes nothing, for example a second click. */
export function transition(current: Transition, event: CheckoutEvent): Transition {
  const { state, effect } = current;
  switch (event.type) {
    case 'reload':
      return start;
    case 'failed': {
      const field = refusedField(state, event.problem);
      if (field && state.phase === 'submitting' && effect?.kind === 'pay')
        return choosing(state.offer, effect.replaces, {
          [field]: effect.customer?.[field] ?? '',
        });
      if (event.problem.code === 'intent_closed')
        return {
          state: {
            phase: 'closed',
            offer: offerOf(state),
            order: lastOrderOf(state),
            support_url: event.problem.support_url,
          },
          effect: null,
        };
      return {
        state: { phase: 'problem', problem: event.problem, offer: offerOf(state) },
        effect: null,
      };
    }
    case 'deposit_loaded':
      return {
        state: { phase: 'showing_deposit_address', deposit: event.deposit, received: false },
        effect: null,
      };
    case 'deposit_received':
      return state.phase === 'showing_deposit_address'
        ? { state: { ...state, received: true }, effect }
        : current;
    case 'checkout_loaded': {
      const { checkout: offer, order } = event.answer;
      return order ? withOrder(offer, order) : choosing(offer, null);
    }
    case 'option_chosen': {
      if (state.phase !== 'choosing') return current;
      const typed = event.customer ?? {};
      const wrong = askedBy(state.offer, event.option)
        .map((field) => [field, typed[field] ?? ''] as const)
        .filter(([field, text]) => !isLikely(field, text));
      if (wrong.length > 0)
        return { state: { ...state, wrong: Object.fromEntries(wrong) }, effect };
      return {
        state: { phase: 'submitting', offer: state.offer, order: null, option: event.option },
        effect: {
          kind: 'pay',
          option: event.option,
          customer: event.customer,
          replaces: state.replaces,
          expect: { amount: state.offer.amount, currency: state.offer.currency },
        },
      };
    }
    case 'order_received':
      // Another order of the intent was paid or has replaced this one; loading returns that order.
      if ((event.order.paid_by || event.order.replaced) && state.phase !== 'succeeded')
        return start;
      return 'offer' in state && state.offer && state.phase !== 'problem'
        ? receiveOrder(state, state.offer, event.order)
        : current;
    case 'choose_again':
      if (!('order' in state) || !state.order || !state.offer || state.phase === 'succeeded')
        return current;
      return choosing(state.offer, state.order);
    case 'back_to_order':
      return state.phase === 'choosing' && state.replaces
        ? withOrder(state.offer, state.replaces)
        : current;
  }
}

const choosing = (offer: Offer, replaces: Order | null, wrong?: Customer): Transition => ({
  state: { phase: 'choosing', offer, replaces, ...(wrong && { wrong }) },
  effect: replaces && { kind: 'follow', order: replaces },
});

/** What each field contains at least, in letters of the usual width. */
const LIKELY: Readonly<Record<CustomerField, RegExp>> = {
  email: /.@.+\../,
  phone: /(\p{Nd}\P{Nd}*){5}/u,
  name: /\S/,
};

/**
 * Finds coarse mistakes before a request. The relay reads contact data closely
 * (relay/contract/customer.ts), and the form marks a field that the relay refuses.
 */
const isLikely = (field: CustomerField, text: string): boolean =>
  text.length <= MAX_TYPED_CHARACTERS && LIKELY[field].test(text.normalize('NFKC'));

/** The contact data that an option asks for. */
const askedBy = ({ options }: Offer, id: string): readonly CustomerField[] =>
  options.find((option) => option.id === id)?.customer ?? [];

/** Selects the contact data that an option asks for; no other contact data leaves the page. */
export function askedCustomer(
  state: State,
  option: string,
  customer: Customer,
): Customer | undefined {
  const offer = offerOf(state);
  const asked = offer ? askedBy(offer, option).filter((field) => customer[field]) : [];
  return asked.length > 0
    ? Object.fromEntries(asked.map((field) => [field, customer[field]]))
    : undefined;
}

/** The field of the form that the relay refuses; such a mistake is the customer's to correct. */
const refusedField = (state: State, { code, field }: Problem): CustomerField | undefined =>
  state.phase === 'submitting' && /^(invalid_request|customer_data_required)$/.test(code)
    ? askedBy(state.offer, state.option).find((asked) => field === `customer.${asked}`)
    : undefined;

function receiveOrder(
  state: Exclude<State, { phase: 'waiting' | 'problem' | 'loading' | 'showing_deposit_address' }>,
  offer: Offer,
  order: Order,
): Transition {
  // During a new choice, the earlier order is shown only when it may be paid, or is closed.
  if (state.phase === 'choosing' && !/^(review|succeeded)$/.test(order.outcome) && !order.closed)
    return {
      state: { ...state, replaces: state.replaces && order },
      effect: state.replaces ? { kind: 'follow', order } : null,
    };
  // Success is the only final phase.
  if (state.phase === 'succeeded') return { state, effect: null };
  return withOrder(offer, order);
}

function withOrder(offer: Offer, order: Order): Transition {
  const effect: Effect | null = order.outcome === 'succeeded' ? null : { kind: 'follow', order };
  // The shop does not deliver a closed intent, so a late payment of it is not shown as a success.
  if (order.closed) return { state: { phase: 'closed', offer, order }, effect };
  if (order.outcome !== 'pending') return { state: { phase: order.outcome, offer, order }, effect };
  if (order.next_action === null)
    return { state: { phase: 'submitting', offer, order, option: order.option }, effect };
  return { state: { phase: 'awaiting_payment', offer, order }, effect };
}
