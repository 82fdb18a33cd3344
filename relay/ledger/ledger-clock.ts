/**
 * The ledger's time: the database's clock where it has one, else this process's wall clock.
 *
 * A wall clock can step: a machine boots with a wrong date, and a time server corrects it. Times
 * stored before a step are then not comparable with the new time. This clock detects a step by
 * comparing wall time with elapsed time, and reports how long it has run without one. A deadline
 * counts as passed only when the clock ran without a step for as long as the deadline takes.
 *
 * Aging time is a second time, also in milliseconds since the epoch. No step moves it: while it
 * differs from the wall clock, it approaches it by a tenth of the time that passes. An order is
 * stamped with both times. Its age by the wall clock counts while the aging time allows it, so that
 * an order is never taken for more than a tenth older than it is, whatever the clock does.
 */
import type { Clock } from '../runtime.js';
import type { Ledger } from './ledger.js';
import type { Stamp } from './rows.js';
import { DAY_MS, MINUTE_MS } from '../contract/durations.js';

/** A smaller change is not a step: a busy process does not read both clocks at the same moment. */
const MIN_STEP_MS = 1000;
/** A wall clock ahead of the aging time is trusted for a purge after this long without a step. */
const TRUST_AFTER_MS = DAY_MS;
/** The aging time runs at most this much faster or slower than real time. */
const APPROACH = 0.1;
const SAVE_EVERY_MS = MINUTE_MS;
/** The aging time of a relay that starts may be so far behind an order: it was saved before. */
const MAX_UNSAVED_MS = 2 * SAVE_EVERY_MS;
/** Two relays that share a ledger may differ by this much. */
const MAX_DIFFERENCE_MS = 5000;

/** Name of the ledger setting that holds `Saved` as JSON. */
const SETTING = 'clock';

/** The names of these fields are stored in the ledger. */
type Saved = {
  /** Aging time when saved. */
  age: number;
  /** Ledger time when saved. */
  seen: number;
  /** Ledger time minus elapsed time; elapsed time counts from the start of the machine. */
  offset: number;
  /** Elapsed time of the last step. */
  steppedAt: number;
};

export type LedgerClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since the last step, or since this clock was created. */
  steadyMs(): number;
  /** The aging time. It never goes back; 0 until what an earlier process saved is read. */
  agingNow(): number;
  /**
   * The earliest time that it can be, for what ends for good: after a step forward the aging time,
   * and after a day without a step the time of the clock.
   */
  earliestNow(): number;
  /** The latest time that it can be: what has expired stays so when the clock steps back. */
  latestNow(): number;
  /** The times to date a new order by. */
  stamp(): Stamp;
  /**
   * The age of an order in milliseconds, rather too young than too old; null when both times say
   * that it was made in the future.
   */
  ageOf(stamp: Stamp): number | null;
  /** Reads the database's clock, and the first time also what an earlier process saved. */
  read(): Promise<void>;
  /** Reads, and saves the time about once a minute. Call it every few seconds. */
  sync(): Promise<void>;
};

/** @param onStepBack called after a step back, and when the saved time lies in the future */
export function createLedgerClock(
  ledger: Pick<Ledger, 'now' | 'setting' | 'writeSetting'>,
  clock: Clock,
  onStepBack: () => void,
): LedgerClock {
  /** Ledger time minus elapsed time, as last read. */
  let offset = clock.now() - clock.elapsed();
  let steppedAt = clock.elapsed();
  /** By how much `offset` may be wrong: nobody knows when an answer that took long was written. */
  let errorMs = 0;
  let observed: number | null = null;
  let agingTime: { value: number; at: number } | null = null;
  let savedAt = -Infinity;
  let isOwnClock = true;

  /** @param time of the clock that may step, with an error of at most `timeErrorMs` */
  const observe = (time: number, timeErrorMs = 0): void => {
    // while a clock stands still, the ledger's time goes on by elapsed time: orders must become due
    if (time === observed) return;
    observed = time;
    const newOffset = time - clock.elapsed();
    const change = newOffset - offset;
    const isStep = Math.abs(change) >= MIN_STEP_MS + errorMs + timeErrorMs;
    // a reading that is less exact than what is known says nothing unless it shows a step
    if (!isStep && timeErrorMs > Math.max(errorMs, MIN_STEP_MS)) return;
    offset = newOffset;
    errorMs = timeErrorMs;
    if (!isStep) return;
    steppedAt = clock.elapsed();
    if (change < 0) onStepBack();
  };
  const now = (): number => {
    if (isOwnClock) observe(clock.now());
    return Math.round(clock.elapsed() + offset);
  };
  const steadyMs = (): number => clock.elapsed() - steppedAt;

  const agingNow = (): number => {
    // until the saved aging time is read, nothing may count as old
    if (agingTime === null) return 0;
    const wall = now();
    const at = clock.elapsed();
    const passed = at - agingTime.at;
    const [least, most] = [passed * (1 - APPROACH), passed * (1 + APPROACH)];
    const moved = Math.min(Math.max(wall - agingTime.value, least), most);
    agingTime = { value: agingTime.value + moved, at };
    return Math.floor(agingTime.value);
  };

  /** Restores the aging time, and the last step too if the machine and its clocks are the same. */
  const restore = async (): Promise<void> => {
    const text = await ledger.setting(SETTING);
    const saved = text === null ? null : (JSON.parse(text) as Saved);
    const wall = now();
    agingTime = { value: saved?.age ?? wall, at: clock.elapsed() };
    if (!saved) return;
    const isSameClock =
      Math.abs(saved.offset - offset) < MIN_STEP_MS && saved.steppedAt <= steppedAt;
    if (isSameClock) {
      steppedAt = saved.steppedAt;
      agingTime.value += Math.max(0, wall - saved.seen);
    }
    if (saved.seen > wall + MIN_STEP_MS) onStepBack();
  };

  const save = async (): Promise<void> => {
    const saved: Saved = { age: agingNow(), seen: now(), offset, steppedAt };
    await ledger.writeSetting(SETTING, JSON.stringify(saved));
  };

  const read = async (): Promise<void> => {
    const requestedAt = clock.elapsed();
    const reading = ledger.now();
    // the clock of this process says nothing about that of the database
    if (isOwnClock && reading) errorMs = Infinity;
    isOwnClock = reading === null;
    if (reading) {
      const time = await reading;
      // the database read its clock somewhere between the request and its answer
      const halfMs = (clock.elapsed() - requestedAt) / 2;
      observe(time + halfMs, halfMs);
    }
    if (agingTime === null) await restore();
    agingNow();
  };

  return {
    now,
    steadyMs,
    agingNow,
    earliestNow: () => (steadyMs() >= TRUST_AFTER_MS ? now() : Math.min(now(), agingNow())),
    latestNow: () => Math.max(now(), agingNow()),
    stamp: () => {
      const created_at = now();
      // an aging time of 0, which is not read yet, would make the order old for ever
      return { created_at, aged_from: agingTime === null ? created_at : agingNow() };
    },
    ageOf: ({ created_at, aged_from }) => {
      const [byClock, byAging] = [now() - created_at, agingNow() - aged_from];
      const isPossible = byClock <= byAging && byClock >= byAging / (1 + APPROACH);
      if (byAging >= 0) return isPossible ? byClock : byAging;
      if (Math.max(byClock, byAging) < -MAX_DIFFERENCE_MS) return null;
      // the clock may have stepped forward while no relay ran
      if (byAging >= -MAX_UNSAVED_MS) return 0;
      // the order was stamped before the saved aging time was read
      return Math.max(0, byClock);
    },
    read,
    sync: async () => {
      await read();
      if (clock.elapsed() - savedAt < SAVE_EVERY_MS) return;
      savedAt = clock.elapsed();
      await save();
    },
  };
}
