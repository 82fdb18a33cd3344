/** What the second script brings (widget/later/): the screens that no first code needs. */
import type { Order } from '../../relay/contract/order.js';
import type { State } from '../checkout/flow.js';
import type { MaybeAction } from './screen.js';
import type { LaterState, ViewContext } from './view-context.js';

export function isLater(state: State): state is LaterState {
  switch (state.phase) {
    case 'waiting':
    case 'loading':
    case 'choosing':
    case 'submitting':
      return false;
    case 'awaiting_payment':
      return state.order.next_action?.kind !== 'scan_qr';
    default:
      return true;
  }
}

export const toolsOf = (view: ViewContext, order: Order, code?: string): readonly MaybeAction[] => {
  const { later } = view;
  return later === null || later === 'missing' ? [] : later.tools(view, order, code);
};
