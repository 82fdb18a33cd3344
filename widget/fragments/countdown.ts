/** The time left to pay, for orders with a deadline; the deadline is in the relay's time. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { ViewContext } from './view-context.js';

export const secondsLeft = ({ expires_at }: Order, now: number): number | null =>
  expires_at === undefined ? null : Math.max(0, Math.ceil((Date.parse(expires_at) - now) / 1000));

/** @returns `mm:ss`, or `hh:mm:ss` from one hour; the hours may exceed 24 */
export const clock = (seconds: number): string =>
  (seconds < 3600 ? '' : `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:`) +
  new Date(seconds * 1000).toISOString().slice(14, 19);

export function countdown(
  { checking, now, t }: ViewContext,
  order: Order,
): TemplateResult | typeof nothing {
  const left = secondsLeft(order, now);
  if (left === null || order.outcome !== 'pending') return nothing;
  if (left === 0)
    return html`<p class="note">
      ${checking ? t('checking') : `${t('time_over')} ${t('already_paid')}`}
    </p>`;
  return html`<p class="countdown" role="timer" data-seconds=${left}>
    ${t('time_left', { time: clock(left) })}
  </p>`;
}

/**
 * The time left is spoken when this number changes: every three minutes above five minutes, every
 * minute above one minute, then every half minute.
 */
export function spokenSlot(left: number): number {
  const shortStep = left > 60 ? 60 : 30;
  const step = left > 300 ? 180 : shortStep;
  return 1000 * step + Math.ceil(left / step);
}
