/** The time that is left to pay, from an absolute deadline by the relay's clock; only where one is configured. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { ViewContext } from './view-context.js';

export const secondsLeft = ({ expires_at }: Order, now: number): number | null =>
  expires_at === undefined ? null : Math.max(0, Math.ceil((Date.parse(expires_at) - now) / 1000));

/** Below a day. */
export const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(seconds < 3600 ? 14 : 11, 19);

export function countdown({ now, t }: ViewContext, order: Order): TemplateResult | typeof nothing {
  const left = secondsLeft(order, now);
  if (left === null || order.outcome !== 'pending') return nothing;
  if (left === 0) return html`<p class="note">${t('time_over')} ${t('already_paid')}</p>`;
  return html`<p class="countdown" role="timer" data-seconds=${left}>${t('time_left', { time: clock(left) })}</p>`;
}

/** Spoken every three minutes above five, every minute above one, then every half. */
export function spokenAt(left: number): boolean {
  return left > 0 && left % (left > 300 ? 180 : left >= 60 ? 60 : 30) === 0;
}
