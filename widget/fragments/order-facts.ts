/** Facts about an order: its number, how long it waits for the payment, who receives the money. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { clock, secondsLeft } from './countdown.js';
import { withName } from './names.js';
import type { ViewContext } from './view-context.js';

/** An impatient customer is offered other actions after this time. */
const PATIENCE_MS = 60_000;

export const waitsLong = ({ blind, now }: ViewContext, { created_at }: Order): boolean =>
  blind || now - Date.parse(created_at) >= PATIENCE_MS;

/** Whether the order, or another one of its purchase, may still be paid. */
export const mayBePaid = ({ other_payable, outcome }: Order): boolean =>
  other_payable || outcome !== 'failed';

/** The order service's number of the order; until the service has given one, the request's id. */
export const orderNumber = ({ t }: ViewContext, { order_no, request_id }: Order): TemplateResult =>
  order_no === null ? named(t('reference'), request_id) : named(t('order_number'), order_no);

/** A number or an id behind its name. */
export const named = (words: string, id: string): TemplateResult =>
  html`<p class="fine">${words} <bdi class="mono" translate="no">${id}</bdi></p>`;

/** A sign that the page is at work. */
export const pulsing = (words: string): TemplateResult =>
  html`<span><i class="pulse"></i>${words}</span>`;

/**
 * The time left to pay.
 *
 * @param words what the customer waits for; null when the title says it
 */
export function waiting(
  { now, t }: ViewContext,
  order: Order,
  words: string | null,
): TemplateResult | null {
  const left = secondsLeft(order, now);
  // An order that is being confirmed may be over: 00:00 says nothing to its customer.
  if (!left && words === null) return null;
  if (left === null) return html`<p class="waiting">${pulsing(words ?? '')}</p>`;
  const time = clock(left);
  // A property: a translator replaces text nodes, and the clock would stand still.
  const text = words === null ? t('time_left', { time }) : time;
  return html`<p class="waiting">
    ${words && [pulsing(words), ' · ']}<span
      class="countdown"
      role="timer"
      translate="no"
      data-seconds=${left}
      data-text=${text}
      .textContent=${text}
    ></span>
  </p>`;
}

/**
 * The receiver of the money; large, because the customer compares it with the bank's screen. Below
 * it stands the amount, where the bank's screen does not show the order's.
 */
export const payee = (
  { money, t }: ViewContext,
  { amount, code_amount: inCode, currency, payee: name }: Order,
): TemplateResult => {
  const words = inCode?.amount ? 'pay' : 'enter_amount';
  const asked = money(inCode?.amount ?? amount, inCode?.currency ?? currency);
  return html`${name && html`<p class="payee">${withName(t('to'), '{name}', name)}</p>`}
  ${inCode && html`<p class="payee">${t(words, { amount: asked })}</p>`}`;
};
