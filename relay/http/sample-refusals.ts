/**
 * Limits the log lines of refused requests, of failed checks of /readyz, and of checkouts that find
 * no way to pay. Anybody can cause any number of these lines, and each one costs a write and
 * displaces the lines of payments.
 */
import type { Log } from '../runtime.js';
import { SECOND_MS } from '../contract/durations.js';

/** Bound for each code separately. */
const MAX_LINES_PER_SECOND = 10;

type Second = { began: number; lines: number; suppressed: number };

export type SampledLog = {
  log: Log;
  /** Writes how many lines were left out, for each code whose second has ended. */
  logSuppressed(): void;
};

type Fields = NonNullable<Parameters<Log>[2]>;

/** Lines of these events are limited like those of refused requests. */
const LIMITED_EVENTS: readonly string[] = ['readyz', 'no_option'];

/** @returns the code whose lines are limited; null when the line is always written */
function limitedCode(event: string, { code, status }: Fields): string | null {
  if (LIMITED_EVENTS.includes(event)) return event;
  if (event !== 'request' || typeof code !== 'string') return null;
  const isRefused = typeof status === 'number' && status >= 400 && status < 500;
  // an order_key with an invented kid is answered so, where several relays share a ledger
  return isRefused || code === 'service_unavailable' ? code : null;
}

/** Writes the first lines of each code in a second; the next line has the count of the rest. */
export function sampleRefusals(write: Log, now: () => number): SampledLog {
  // codes are a closed list, so this stays small
  const seconds = new Map<string, Second>();
  const isOver = ({ began }: Second): boolean => {
    const passed = now() - began;
    // a clock that stepped back must not silence a code until it has caught up
    return passed < 0 || passed >= SECOND_MS;
  };

  return {
    log: (level, event, fields = {}) => {
      const code = limitedCode(event, fields);
      if (code === null) return write(level, event, fields);
      let second = seconds.get(code);
      const suppressed = second && isOver(second) ? second.suppressed : 0;
      if (!second || isOver(second)) {
        second = { began: now(), lines: 0, suppressed: 0 };
        seconds.set(code, second);
      }
      if (second.lines >= MAX_LINES_PER_SECOND) {
        second.suppressed++;
        return;
      }
      second.lines++;
      write(level, event, suppressed > 0 ? { ...fields, suppressed } : fields);
    },
    logSuppressed: () => {
      for (const [code, second] of seconds) {
        if (!isOver(second)) continue;
        seconds.delete(code);
        if (second.suppressed > 0)
          write('info', 'refused', { code, suppressed: second.suppressed });
      }
    },
  };
}

/** Anybody can send any origin, and each costs memory and a line. */
const MAX_ORIGINS = 50;
const MAX_CHARACTERS = 200;

export type LogRefusedOrigin = (origin: string) => void;

export function createRefusedOrigins(log: Log): LogRefusedOrigin {
  const known = new Set<string>();
  return (origin) => {
    const named = origin.slice(0, MAX_CHARACTERS);
    if (known.has(named) || known.size >= MAX_ORIGINS) return;
    known.add(named);
    log('warn', 'origin_refused', {
      origin: named,
      message: 'a page of this origin was refused; if it is yours, add the origin to shop.origins',
    });
  };
}
