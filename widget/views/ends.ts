/** The screens of an order that has ended: paid, failed, expired, or closed by the shop. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { printReceipt } from '../browser/receipt.js';
import { isPayLinkPage } from '../browser/resume.js';
import type { Offer, OrderPhase, State } from '../checkout/flow.js';
import {
  button,
  changeButton,
  checkButton,
  contact,
  ownReturnUrl,
  returnLink,
  shopLink,
  supportLink,
} from '../fragments/actions.js';
import { amountIn } from '../fragments/amount.js';
import { facts, filled, isolated, withName } from '../fragments/names.js';
import { orderNumber } from '../fragments/order-facts.js';
import { product } from '../fragments/product.js';
import type { MaybeAction, Screen } from '../fragments/screen.js';
import { resumeButton } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';

export type OrderState = Extract<State, { phase: OrderPhase }>;

export function succeeded(view: ViewContext, { offer, order }: OrderState): Screen {
  const { label, money, orderOption: option, t } = view;
  const { amount, currency } = order;
  return {
    title: t('succeeded', { amount: money(amount, currency) }),
    look: 'paid',
    settled: true,
    warning: order.other_payable && t('done'),
    heading: filled(t('succeeded'), '{amount}', amountIn(view, amount, currency)),
    sign: 'good',
    hint: facts(
      withName(t('to'), '{name}', offer.shop_name),
      option ? isolated(label(option.label)) : null,
      isolated(timeOf(view, order)),
    ),
    content: [product(offer), html`<p class="product printed">${offer.support_url}</p>`],
    primary: returnLink(
      // the page may write its address after the payment, such as with the number of the order
      ownReturnUrl(view) ?? offer.return_url,
      withName(t('back_to_shop'), '{shop}', offer.shop_name),
      'primary',
    ),
    secondary: [button('receipt', t('receipt'), (event) => printReceipt(event.currentTarget))],
    footer: orderNumber(view, order),
  };
}

/** Date and time of the payment. */
const timeOf = ({ locale, zone }: ViewContext, order: Order): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    ...zone,
  }).format(Date.parse(order.paid_at ?? order.checked_at ?? order.server_time));

/**
 * Makes a button that pays again with the option of the order.
 *
 * @param words text of the button; the default names the option
 * @returns null when the option is no longer offered
 */
function againButton(
  { actions, label, options, t }: ViewContext,
  offer: Offer,
  order: Order,
  words?: string,
): TemplateResult | null {
  const option = options.find(({ id }) => id === order.option);
  if (!option) return null;
  const text = words ?? withName(t('again'), '{option}', label(option.label));
  // the card shows what the order charged; a new price must be seen before it is paid
  const isSamePrice = offer.amount === order.amount && offer.currency === order.currency;
  const press = (): void => (isSamePrice ? actions.payAgain(option) : actions.chooseAgain());
  return button('again', text, press, 'primary');
}

/** What follows an order that was not paid; the relay's own page offers no way to pay. */
function payAgain(
  view: ViewContext,
  { offer, order }: OrderState,
  words?: string,
): Partial<Screen> {
  const { canChoose, t } = view;
  const primary = canChoose ? againButton(view, offer, order, words) : shopLink(view);
  return {
    hint: canChoose ? t('paid_or_again', { button: t('already_paid') }) : t('paid_contact'),
    warning: order.other_payable ? t('other_payable') : null,
    content: canChoose ? null : contact(view, primary, offer),
    primary,
    secondary: [checkButton(view, 'already_paid'), changeButton(view)],
    more: [resumeButton(view, order)],
    footer: orderNumber(view, order),
  };
}

export const failed = (view: ViewContext, state: OrderState): Screen => ({
  title: view.t('failed'),
  sign: 'bad',
  ...payAgain(view, state),
});

/** Shows neither code nor link, because the customer could pay with them too late. */
export function expired(view: ViewContext, state: OrderState): Screen {
  const { t } = view;
  const isCode = state.order.next_action?.kind === 'scan_qr';
  return {
    title: t(isCode ? 'code_expired' : 'expired'),
    sign: 'time',
    ...payAgain(view, state, isCode ? t('new_code') : undefined),
  };
}

/** The shop has closed the intent, so the customer must not pay this order any more. */
export function closed(
  view: ViewContext,
  { offer, order, support_url }: Extract<State, { phase: 'closed' }>,
): Screen {
  const { t } = view;
  const help = supportLink(view, support_url ?? offer?.support_url, 'primary');
  const back = (look: string): MaybeAction => returnLink(offer?.return_url, t('return'), look);
  const primary = help ?? back('primary');
  // a link that was used up before this customer had an order
  const isLinkOver = !order && isPayLinkPage(view.relay);
  return {
    title: t(isLinkOver ? 'title_link' : 'closed'),
    sign: 'care',
    look: 'problem',
    hint: t(isLinkOver ? 'problem_link' : 'closed_hint'),
    content: contact(view, primary, offer),
    primary,
    secondary: [help && back('quiet')],
    footer: order && orderNumber(view, order),
  };
}
