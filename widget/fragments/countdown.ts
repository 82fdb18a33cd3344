/** The time left to pay, for orders with a deadline; the deadline is in the relay's time. */
import type { Order } from '../../relay/contract/order.js';

export const secondsLeft = ({ expires_at }: Order, now: number): number | null =>
  expires_at === undefined ? null : Math.max(0, Math.ceil((Date.parse(expires_at) - now) / 1000));

/** @returns `mm:ss`, or `hh:mm:ss` from one hour; the hours may exceed 24 */
export const clock = (seconds: number): string =>
  (seconds < 3600 ? '' : `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:`) +
  new Date(seconds * 1000).toISOString().slice(14, 19);

/**
 * The time left is spoken when this number changes: every three minutes above five minutes, every
 * minute above one minute, then every half minute.
 */
export function spokenSlot(left: number): number {
  const shortStep = left > 60 ? 60 : 30;
  const step = left > 300 ? 180 : shortStep;
  return 1000 * step + Math.ceil(left / step);
}
