/** Chooses the view of a next action by its kind. */
import type { NextAction, Order } from '../../relay/contract/order.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { NextActionView } from './next-action-view.js';
import { openPage } from './open-page.js';
import { openWallet } from './open-wallet.js';
import { scanQr } from './scan-qr.js';
import { wait } from './wait.js';

const viewsByKind: { readonly [K in NextAction['kind']]: NextActionView<K> } = {
  scan_qr: scanQr,
  open_page: openPage,
  open_wallet: openWallet,
  wait,
};

export const nextActionScreen = <K extends NextAction['kind']>(
  view: ViewContext,
  order: Order,
  action: Extract<NextAction, { kind: K }>,
): Screen => {
  const kind: K = action.kind;
  return viewsByKind[kind](view, order, action);
};
