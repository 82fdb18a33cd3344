/** The screen of each kind of next action. */
import type { NextAction, Order } from '../../relay/contract/order.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { onPhone } from './on-phone.js';
import { openPage } from './open-page.js';
import { openWallet } from './open-wallet.js';
import { scanQr } from './scan-qr.js';
import { wait } from './wait.js';

export function nextActionScreen(view: ViewContext, order: Order, action: NextAction): Screen {
  switch (action.kind) {
    case 'scan_qr':
      // A phone cannot scan its own screen.
      return (view.onPhone ? onPhone : scanQr)(view, order, action);
    case 'open_page':
      return openPage(view, order, action);
    case 'open_wallet':
      return openWallet(view, order, action);
    case 'wait':
      return wait(view, order, action);
  }
}
