/** The screens of an order that has ended: paid, failed, expired, or closed by the shop. */
import { html } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { printReceipt } from '../browser/receipt.js';
import type { OrderPhase, State } from '../checkout/flow.js';
import {
  button,
  changeButton,
  checkButton,
  returnLink,
  supportLink,
} from '../fragments/actions.js';
import { bigAmount } from '../fragments/amount.js';
import { isolated, withName } from '../fragments/names.js';
import { orderNumber } from '../fragments/order-facts.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { againButton } from './again.js';
import { resumeButton } from './tools.js';

export type OrderState = Extract<State, { phase: OrderPhase }>;

export function succeeded(view: ViewContext, { offer, order }: OrderState): Screen {
  const { label, locale, money, orderOption: option, t, timeZone } = view;
  const { amount, currency } = order;
  const style: Intl.DateTimeFormatOptions =
    timeZone === undefined
      ? { timeStyle: 'short' }
      : { hour: 'numeric', minute: 'numeric', timeZone, timeZoneName: 'short' };
  const time = new Intl.DateTimeFormat(locale, style).format(
    Date.parse(order.checked_at ?? order.server_time),
  );
  const [before = '', after = ''] = t('succeeded').split('{amount}');
  return {
    title: t('succeeded', { amount: money(amount, currency) }),
    look: 'paid',
    heading: html`<svg class="tick" viewBox="0 0 56 56" aria-hidden="true">
        <circle cx="28" cy="28" r="26" pathLength="100" />
        <path d="M17 29l8 8 15-17" pathLength="100" /></svg
      ><span>${before}${bigAmount(view, amount, currency)}${after}</span>`,
    hint: [
      withName(t('to'), '{name}', offer.shop_name),
      option ? [' · ', isolated(label(option.label))] : null,
      ` · ${time}`,
    ],
    content: [
      html`<p class="product">${isolated(offer.product_name)}</p>`,
      order.other_payable ? html`<p class="note done">${t('done')}</p>` : null,
    ],
    primary: returnLink(
      offer.return_url,
      withName(t('back_to_shop'), '{shop}', offer.shop_name),
      'primary',
    ),
    secondary: [button('receipt', t('receipt'), () => printReceipt())],
    footer: orderNumber(view, order),
  };
}

export function failed(view: ViewContext, { order }: OrderState): Screen {
  const { t } = view;
  return {
    title: t('failed'),
    hint: t('failed_hint'),
    warning: order.other_payable ? t('other_payable') : null,
    primary: againButton(view, order),
    secondary: [changeButton(view)],
    more: [checkButton(view, 'already_paid'), resumeButton(view, order)],
    footer: orderNumber(view, order),
  };
}

/** Shows neither code nor link, because the customer could pay with them too late. */
export function expired(view: ViewContext, order: Order): Screen {
  const { t } = view;
  const isCode = order.next_action?.kind === 'scan_qr';
  return {
    title: t(isCode ? 'code_expired' : 'expired'),
    hint: t('expired_hint'),
    warning: order.other_payable ? t('other_payable') : null,
    primary: againButton(view, order, isCode ? t('new_code') : undefined),
    secondary: [checkButton(view, 'already_paid'), changeButton(view)],
    more: [resumeButton(view, order)],
    footer: orderNumber(view, order),
  };
}

/** The shop has closed the intent, so the customer must not pay this order any more. */
export const closed = (
  view: ViewContext,
  { offer, order, support_url }: Extract<State, { phase: 'closed' }>,
): Screen => ({
  title: view.t('closed'),
  look: 'problem',
  hint: view.t('closed_hint'),
  primary:
    supportLink(view, support_url ?? offer?.support_url, 'primary') ??
    returnLink(offer?.return_url, view.t('return'), 'primary'),
  footer: order && orderNumber(view, order),
});
