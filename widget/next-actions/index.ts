/** The screen of each next action; the first script has the screen of a code to scan. */
import type { Order } from '../../relay/contract/order.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { onPhone } from './on-phone.js';
import { openPage } from './open-page.js';
import { openWallet } from './open-wallet.js';
import { wait } from './wait.js';

export function nextActionScreen(view: ViewContext, order: Order): Screen {
  const { next_action: action } = order;
  switch (action?.kind) {
    case 'scan_qr':
      return onPhone(view, order, action);
    case 'open_page':
      return openPage(view, order, action);
    case 'open_wallet':
      return openWallet(view, order, action);
    default:
      return wait(view, order, { kind: 'wait' });
  }
}
