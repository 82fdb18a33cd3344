/** The order of the main actions of a link, before and after it was opened. */
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton } from '../fragments/actions.js';
import { copyButton } from '../fragments/copy-field.js';
import { waitsLong } from '../fragments/order-facts.js';
import type { MaybeAction, Screen } from '../fragments/screen.js';
import { browserLink } from '../fragments/tools.js';
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

/** Where nothing opened, the customer takes the link to another app, device or browser. */
export const otherRoads = (
  view: ViewContext,
  order: Order,
  link: string,
  openAgain: MaybeAction,
): Pick<Screen, 'hint' | 'primary' | 'secondary'> => ({
  hint: view.t('wallet_nothing'),
  primary: copyButton(view, '', link, view.t('copy_code'), 'primary'),
  secondary: [
    openAgain,
    checkButton(view, 'check_now', 'quiet'),
    browserLink(view, order),
    changeButton(view),
  ],
});
