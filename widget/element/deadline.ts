/**
 * The relay's clock, a tick each second while an order is open, and what happens as its time runs
 * out.
 */
import type { Order } from '../../relay/contract/order.js';
import { secondsLeft, spokenSlot } from '../fragments/countdown.js';

export type Deadline = {
  /** The order on screen; null stops the ticking. */
  watch(order: Order | null): void;
  /** Milliseconds since the epoch, by the relay's clock. */
  now(): number;
};

type DeadlineDeps = {
  /** Called every second. */
  tick(): void;
  announce(seconds: number): void;
  /** The time is over: asked once for each order. */
  over(): void;
};

export function createDeadline({ over, announce: speak, tick }: DeadlineDeps): Deadline {
  let order: Order | null = null;
  let skew = 0;
  let spoken: number | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  const asked = new Set<string>();
  const now = (): number => Date.now() + skew;

  const look = (): void => {
    tick();
    const left = order && order.outcome === 'pending' ? secondsLeft(order, now()) : null;
    if (!order || left === null) return;
    const slot = spokenSlot(left);
    // a tick may come late: what counts is that a mark was passed
    if (left > 0 && spoken !== null && slot !== spoken) speak(left);
    spoken = slot;
    if (left > 0 || asked.has(order.request_id)) return;
    asked.add(order.request_id);
    over();
  };
  return {
    watch: (shown) => {
      if (shown?.request_id !== order?.request_id) spoken = null;
      if (shown && shown !== order) skew = Date.parse(shown.server_time) - Date.now();
      order = shown;
      clearInterval(timer);
      timer = shown ? setInterval(look, 1000) : undefined;
    },
    now,
  };
}
