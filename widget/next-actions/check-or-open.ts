/** The actions of a link: before and after it was opened, and where it has opened nothing. */
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton, lateCheck } from '../fragments/actions.js';
import { copyButton } from '../fragments/copy-field.js';
import type { MaybeAction, Screen } from '../fragments/screen.js';
import { browserLink } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { Opening } from './wallet-sheet.js';

type LinkActions = Pick<Screen, 'hint' | 'primary' | 'rest'> & {
  readonly secondary: readonly MaybeAction[];
};

/**
 * A payment may be under way once the link was opened: to open it again could pay twice.
 *
 * @param scan the code for another screen; null when it is on this one
 */
export function checkOrOpen(
  view: ViewContext,
  order: Order,
  wasOpened: boolean,
  open: MaybeAction,
  scan: MaybeAction = null,
): LinkActions {
  const change = changeButton(view);
  if (wasOpened)
    return {
      hint: view.t('under_way'),
      primary: checkButton(view, 'check_now', 'primary'),
      secondary: [open, change],
      rest: [scan],
    };
  return { primary: open, secondary: [change], rest: [scan, lateCheck(view, order)] };
}

/**
 * Where nothing opened, the customer takes the link to another app, device or browser. Only a sheet
 * has other forms of the link, so only then it comes first.
 *
 * @param scan the code for another screen; null when it is on this one
 */
export function otherRoads(
  view: ViewContext,
  order: Order,
  link: string,
  { action, sheet }: Opening,
  scan: MaybeAction,
): LinkActions {
  const copy = copyButton(view, '', link, view.t('copy_code'), sheet ? 'quiet' : 'primary');
  return {
    hint: view.t('wallet_nothing'),
    primary: sheet ? action : copy,
    secondary: [],
    rest: [sheet ? copy : null, scan, ...lastRoads(view, order, sheet ? null : action)],
  };
}

export const lastRoads = (
  view: ViewContext,
  order: Order,
  again: MaybeAction,
): readonly MaybeAction[] => [
  browserLink(view, order),
  changeButton(view),
  again,
  checkButton(view),
];
