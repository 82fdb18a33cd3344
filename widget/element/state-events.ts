/** The events of a change of state, in the order in which they are dispatched. */
import { lastOrderOf, orderOf, type State } from '../checkout/flow.js';
import {
  PayDepositAddressEvent,
  PayExpiredEvent,
  PayFailedEvent,
  PayOrderEvent,
  PayPhaseEvent,
  PayProblemEvent,
  PayStatusEvent,
  PaySucceededEvent,
  PayTokenNeededEvent,
} from '../events.js';

const NEEDS_TOKEN = /^token_(expired|invalid)$/;

const OUTCOME_EVENTS = {
  succeeded: PaySucceededEvent,
  failed: PayFailedEvent,
  expired: PayExpiredEvent,
};

export function eventsOf(state: State, previous: State | null): Event[] {
  const list: Event[] = [];
  const order = orderOf(state);
  const before = previous && lastOrderOf(previous);
  const entered = state.phase !== previous?.phase;
  if (entered)
    list.push(new PayPhaseEvent({ phase: state.phase, previous: previous?.phase ?? '' }));
  if (order && order.request_id !== before?.request_id) list.push(new PayOrderEvent({ order }));
  else if (order && before && (order.status !== before.status || order.outcome !== before.outcome))
    list.push(new PayStatusEvent({ order }));
  if (!entered) return list;
  if (state.phase === 'succeeded' || state.phase === 'failed' || state.phase === 'expired')
    list.push(new OUTCOME_EVENTS[state.phase]({ order: state.order }));
  if (state.phase === 'showing_deposit_address')
    list.push(new PayDepositAddressEvent({ deposit_address: state.deposit }));
  if (state.phase === 'problem') {
    list.push(new PayProblemEvent(state.problem));
    if (NEEDS_TOKEN.test(state.problem.code))
      list.push(new PayTokenNeededEvent({ code: state.problem.code }));
  }
  return list;
}
