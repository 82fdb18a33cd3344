/** The order of the two main actions of a link, before and after it was opened. */
import type { Order } from '../../relay/contract/order.js';
import { checkButton } from '../fragments/actions.js';
import { waitsLong } from '../fragments/order-facts.js';
import type { MaybeAction } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';

/** A payment may be under way once the link was opened: to open it again could pay twice. */
export function checkOrOpen(
  view: ViewContext,
  order: Order,
  wasOpened: boolean,
  open: MaybeAction,
): { primary: MaybeAction; other: MaybeAction } {
  const check =
    wasOpened || waitsLong(view, order)
      ? checkButton(view, 'check_now', wasOpened ? 'primary' : 'quiet')
      : null;
  return wasOpened ? { primary: check, other: open } : { primary: open, other: check };
}
