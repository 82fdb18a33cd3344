/**
 * Replaces globals of the runtime by virtual time, seeded random numbers and synchronous
 * cryptography: the timers, Date, performance, AbortSignal.timeout and crypto.
 */
import type { Random } from '../chance.js';
import type { Cancel, Scheduler } from './scheduler.js';
import { syncCrypto } from './sync-crypto.js';

/** The moment at which each world begins. */
export const EPOCH = Date.UTC(2026, 0, 5);

/** Frames in an exception's stack. Many answers are errors, and full stacks cost much time. */
const STACK_FRAMES = 2;

/** @returns a function that puts the real globals back */
export function installVirtualGlobals(scheduler: Scheduler, random: Random): () => void {
  const now = (): number => EPOCH + scheduler.now();
  const replaced: (() => void)[] = [];
  const replace = (target: object, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    replaced.push(() => {
      if (before) Object.defineProperty(target, name, before);
      else Reflect.deleteProperty(target, name);
    });
  };
  const timers = createTimers(scheduler);
  for (const [name, value] of Object.entries(timers)) replace(globalThis, name, value);
  replace(globalThis, 'Date', virtualDate(now));
  replace(globalThis, 'crypto', syncCrypto(random));
  replace(performance, 'now', scheduler.now);
  replace(Error, 'stackTraceLimit', STACK_FRAMES);
  replace(AbortSignal, 'timeout', (ms: number) => {
    const controller = new AbortController();
    scheduler.after(ms, () => controller.abort(TIMED_OUT));
    return controller.signal;
  });
  return () => {
    for (const putBack of replaced.reverse()) putBack();
  };
}

/** Made once, because a new exception with its stack would cost more than the timeout itself. */
const TIMED_OUT = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

function createTimers(scheduler: Scheduler): Record<string, unknown> {
  const running = new Map<number, Cancel>();
  let made = 0;
  const clear = (id: number | undefined): void => {
    if (id === undefined) return;
    running.get(id)?.();
    running.delete(id);
  };
  return {
    setTimeout: (run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): number => {
      const id = ++made;
      const cancel = scheduler.after(ms, () => {
        running.delete(id);
        run(...values);
      });
      running.set(id, cancel);
      return id;
    },
    clearTimeout: clear,
    setImmediate: (run: () => void): void => void scheduler.after(0, run),
  };
}

const virtualDate = (now: () => number): DateConstructor =>
  new Proxy(Date, {
    construct: (target, values: unknown[], newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
