/** Which screens need the second script (widget/later/), and how the first script calls it. */
import type { Order } from '../../relay/contract/order.js';
import { orderOf, type State } from '../checkout/flow.js';
import type { MaybeAction } from './screen.js';
import type { Later, LaterOrNot, LaterState, ViewContext } from './view-context.js';

/** A longer list of options gets a search field. */
export const MAX_OPTIONS_WITHOUT_SEARCH = 8;

/** Whether the second script adds something to the screen of the state. */
export const getsMore = (state: State): boolean =>
  state.phase === 'choosing'
    ? state.offer.options.length > MAX_OPTIONS_WITHOUT_SEARCH
    : orderOf(state) !== null;

/**
 * Whether the screen of the state is in the second script.
 *
 * @param onPhone whether this is a phone, which shows a code as an action
 */
export function isLater(state: State, onPhone: boolean): state is LaterState {
  switch (state.phase) {
    case 'waiting':
    case 'loading':
    case 'submitting':
      return false;
    case 'choosing':
      return state.offer.options.length === 0;
    case 'awaiting_payment':
      return onPhone || state.order.next_action?.kind !== 'scan_qr';
    default:
      return true;
  }
}

export const laterOf = (later: LaterOrNot): Later | null => (later === 'missing' ? null : later);

export const toolsOf = (view: ViewContext, order: Order, code?: string): readonly MaybeAction[] =>
  laterOf(view.later)?.tools(view, order, code) ?? [];
