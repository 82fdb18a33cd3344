/** The view of each kind of next action. */
import type { TemplateResult } from 'lit';
import type { NextAction, Order } from '../../relay/contract/order.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { TextKey } from '../texts/en.js';
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

export const titleOf = (action: NextAction): TextKey => viewsByKind[action.kind].title;

export const renderNextAction = <K extends NextAction['kind']>(
  view: ViewContext,
  order: Order,
  action: Extract<NextAction, { kind: K }>,
): TemplateResult => {
  const kind: K = action.kind;
  return viewsByKind[kind].render(view, order, action);
};
