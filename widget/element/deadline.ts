/** Ticks each second while an order is shown, by the relay's clock, and reports its deadline. */
import type { Order } from '../../relay/contract/order.js';
import { secondsLeft, spokenSlot } from '../fragments/countdown.js';

const TICK_MS = 1000;

type Deadline = {
  /**
   * @param shown the order on screen; null stops the ticks
   * @param latest the order of the last answer, which a choice hides
   */
  watch(shown: Order | null, latest?: Order | null): void;
  /** @returns milliseconds since the epoch, by the relay's clock */
  now(): number;
};

type DeadlineCallbacks = {
  onTick(): void;
  /** Called when the time left is due to be spoken. */
  onSpokenTime(seconds: number): void;
  /** Called once for each order whose time is over. */
  onExpired(): void;
};

export function createDeadline({ onExpired, onSpokenTime, onTick }: DeadlineCallbacks): Deadline {
  let order: Order | null = null;
  let measured: Order | null = null;
  let skewMs = 0;
  let lastSlot: number | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  const expired = new Set<string>();
  // A device's clock that is set back must not keep an expired code on the page, and a device that
  // slept may have counted no time. So the clock counts that is ahead.
  const originMs = Date.now() - performance.now();
  const device = (): number => Math.max(Date.now(), originMs + performance.now());
  const now = (): number => device() + skewMs;

  const tick = (): void => {
    onTick();
    if (order?.outcome !== 'pending') return;
    const left = secondsLeft(order, now());
    if (left === null) return;
    const slot = spokenSlot(left);
    // A late tick can skip a second, so compare slots and not seconds.
    if (left > 0 && lastSlot !== null && slot !== lastSlot) onSpokenTime(left);
    lastSlot = slot;
    if (left > 0 || expired.has(order.request_id)) return;
    expired.add(order.request_id);
    onExpired();
  };
  return {
    watch: (shown, latest = null) => {
      if (shown?.request_id !== order?.request_id) lastSlot = null;
      // Once for each answer, when it arrives: later its age would be added to the time left.
      if (latest && latest !== measured) {
        skewMs = Date.parse(latest.server_time) - device();
        measured = latest;
      }
      order = shown;
      clearInterval(timer);
      if (shown) timer = setInterval(tick, TICK_MS);
    },
    now,
  };
}
