/** The screen of an order without a code or link: there is nothing to do on this page. */
import { changeButton, checkButton } from '../fragments/actions.js';
import { orderNumber, waiting, waitsLong } from '../fragments/order-facts.js';
import { tools } from '../fragments/tools.js';
import type { NextActionView } from './next-action-view.js';

export const wait: NextActionView<'wait'> = (view, order) => ({
  title: view.t('wait'),
  hint: view.t('wait_hint'),
  content: waiting(view, order, view.t('awaiting')),
  secondary: [waitsLong(view, order) ? checkButton(view) : null, changeButton(view)],
  more: [...tools(view, order), orderNumber(view, order)],
});
