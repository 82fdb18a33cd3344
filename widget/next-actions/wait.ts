/** The screens of an order without a code or link. */
import type { Order } from '../../relay/contract/order.js';
import { changeButton, lateCheck, shopLink } from '../fragments/actions.js';
import { orderNumber, waiting } from '../fragments/order-facts.js';
import type { Screen } from '../fragments/screen.js';
import { resumeButton, tools } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { NextActionView } from './next-action-view.js';

const typeOf = ({ orderOption }: ViewContext): string => orderOption?.payment_type ?? '';

/**
 * Whether the order can be paid only with a code or a link, which a lost answer took with it. What
 * the service returns for orders without a payment type is not documented: there may be nothing.
 */
export const lacksCode = (view: ViewContext): boolean =>
  /^(qrcode|wallet|virtual_account)$/.test(typeOf(view));

export const noCode = (view: ViewContext, order: Order): Screen => ({
  title: view.t(/^(qrcode|wallet)$/.test(typeOf(view)) ? 'no_code' : 'problem'),
  hint: view.t(view.canChoose ? 'no_code_hint' : 'paid_contact'),
  sign: 'care',
  waiting: waiting(view, order, null),
  primary: changeButton(view, 'primary') ?? shopLink(view),
  rest: [lateCheck(view, order)],
  more: [resumeButton(view, order), orderNumber(view, order)],
});

const nothingToDo = (view: ViewContext, order: Order): Screen => ({
  title: view.t('wait'),
  hint: view.t(view.canChoose ? 'wait_hint' : 'paid_contact'),
  waiting: waiting(view, order, view.t('awaiting')),
  secondary: [changeButton(view)],
  rest: [lateCheck(view, order)],
  more: [...tools(view, order), orderNumber(view, order)],
});

export const wait: NextActionView<'wait'> = (view, order) =>
  lacksCode(view) ? noCode(view, order) : nothingToDo(view, order);
