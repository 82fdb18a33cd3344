/** The phases that show an order which is not at its end. */
import { html } from 'lit';
import type { NextAction } from '../../relay/contract/order.js';
import type { OrderPhase, State } from '../checkout/flow.js';
import {
  againButton,
  changeButton,
  checkButton,
  resumeButton,
  supportLink,
} from '../fragments/actions.js';
import { secondsLeft } from '../fragments/countdown.js';
import { orderNumber, pulsing, reference, waiting, waitsLong } from '../fragments/order-facts.js';
import { pictureMark } from '../fragments/picture-mark.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { nextActionScreen } from '../next-actions/index.js';

export type OrderState = Extract<State, { phase: OrderPhase }>;

export function awaitingPayment(view: ViewContext, { order }: OrderState): Screen {
  const action: NextAction = order.next_action ?? { kind: 'wait' };
  if (secondsLeft(order, view.now) === 0) return timeOver(view, order);
  const screen = nextActionScreen(view, order, action);
  const option = view.orderOption;
  const name = option ? view.label(option.label) : undefined;
  const method =
    name === undefined
      ? null
      : html`<p class="method">${pictureMark(view, name, option?.icon_url)}<bdi>${name}</bdi></p>`;
  return {
    ...screen,
    warning: order.other_payable ? view.t('other_payable') : null,
    content: [method, screen.content],
  };
}

/** Nothing that could be paid too late is shown: no code and no link. */
export function timeOver(view: ViewContext, order: OrderState['order']): Screen {
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

export const confirming = (view: ViewContext, { order }: OrderState): Screen => ({
  title: view.t('confirming'),
  heading: pulsing(view.t('confirming')),
  hint: view.t('confirming_hint'),
  warning: order.other_payable ? view.t('other_payable') : null,
  content: waiting(view, order, null),
  secondary: waitsLong(view, order) ? [checkButton(view), changeButton(view)] : [],
  more: [resumeButton(view, order), orderNumber(view, order)],
});

/** The phases `unmapped` and `review`: the order may be paid or may have failed. */
export function unclear(
  view: ViewContext,
  { phase, offer, order }: OrderState & { phase: 'unmapped' | 'review' },
): Screen {
  const { t } = view;
  return {
    title: t(phase),
    hint: t(`${phase}_hint`),
    look: 'problem',
    warning: order.other_payable ? t('other_payable') : null,
    primary: supportLink(view, offer.support_url, 'primary'),
    secondary: phase === 'unmapped' ? [checkButton(view)] : [],
    more: [resumeButton(view, order), orderNumber(view, order)],
    footer: reference(view, order.request_id),
  };
}
