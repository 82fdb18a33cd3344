/** The events that a change of state means, in the order in which they are dispatched. */
import type { State } from './checkout/flow.js';
import * as events from './events.js';

const TOKEN_CODES = new Set(['token_expired', 'token_invalid']);

export function eventsOf(state: State, previous: State | null): Event[] {
  const list: Event[] = [];
  const order = 'order' in state ? state.order : null;
  const before = previous && 'order' in previous ? previous.order : previous && 'replaces' in previous ? previous.replaces : null;
  const entered = state.phase !== previous?.phase;
  if (entered) list.push(new events.PayPhaseEvent({ phase: state.phase, previous: previous?.phase ?? '' }));
  if (order && order.request_id !== before?.request_id) list.push(new events.PayOrderEvent({ order }));
  else if (order && before && (order.status !== before.status || order.outcome !== before.outcome))
    list.push(new events.PayStatusEvent({ order }));
  if (!entered) return list;
  switch (state.phase) {
    case 'succeeded':
      return [...list, new events.PaySucceededEvent({ order: state.order })];
    case 'failed':
      return [...list, new events.PayFailedEvent({ order: state.order })];
    case 'expired':
      return [...list, new events.PayExpiredEvent({ order: state.order })];
    case 'showing_deposit_address':
      return [...list, new events.PayDepositAddressEvent({ deposit_address: state.deposit })];
    case 'problem':
      list.push(new events.PayProblemEvent(state.problem));
      return TOKEN_CODES.has(state.problem.code) ? [...list, new events.PayTokenNeededEvent({ code: state.problem.code })] : list;
    default:
      return list;
  }
}
