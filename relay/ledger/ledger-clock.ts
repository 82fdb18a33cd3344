/**
 * The ledger's time: the database's clock where it has one, else this process's wall clock.
 *
 * A wall clock can step: a machine boots with a wrong date, and a time server corrects it. Times
 * stored before a step are then not comparable with the new time. This clock detects a step by
 * comparing wall time with elapsed time, and reports how long it has run without one. A deadline
 * counts as passed only when the clock ran without a step for as long as the deadline takes.
 *
 * Aging time is a second timestamp, also in milliseconds since the epoch: orders' ages are measured
 * by it. After a step forward it lags behind the wall clock and catches up slowly, until the clock
 * is trusted, so that no order becomes old at once.
 */
import type { Clock } from '../runtime.js';
import type { Ledger } from './ledger.js';
import { HOUR_MS, MINUTE_MS } from '../contract/durations.js';

/** A smaller change is not a step: a busy process does not read both clocks at the same moment. */
const MIN_STEP_MS = 1000;
/** A wall clock behind the aging time is trusted after this long without a step. */
const TRUST_BEHIND_AFTER_MS = HOUR_MS;
/** A wall clock ahead of the aging time is trusted after this long without a step. */
const TRUST_AHEAD_AFTER_MS = 24 * TRUST_BEHIND_AFTER_MS;
/** Aging time catches up with the wall clock at most this much faster than real time. */
const MAX_CATCH_UP_RATE = 1.1;
const SAVE_EVERY_MS = MINUTE_MS;
/** Steps forward that are kept apart; when there are more, the oldest two count as one. */
const MAX_STEPS = 20;

/** Name of the ledger setting that holds `Saved` as JSON. */
const SETTING = 'clock';

/** The names of these fields are stored in the ledger. */
type Saved = {
  /** Aging time when saved, with the time that passed while the clock was behind it. */
  age: number;
  /** Ledger time when saved. */
  seen: number;
  /** Ledger time minus elapsed time; elapsed time counts from the start of the machine. */
  offset: number;
  /** Elapsed time of the last step. */
  steppedAt: number;
  /** Sizes of the steps forward not caught up with. */
  ahead: readonly number[];
};

export type LedgerClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since the last step, or since this clock was created. */
  steadyMs(): number;
  /**
   * The aging time, or the clock's time when that is earlier. It never runs far ahead of real time,
   * so that after a step forward no order is purged or left unchecked before its days have really
   * passed.
   */
  agingNow(): number;
  /**
   * The aging time that the ledger has reached. While the clock is behind the aging time,
   * `agingNow` returns the clock's earlier time, but this function goes on from the aging time.
   * Store this time, because a stored `agingNow` would look many hours old once the clock is
   * corrected.
   */
  reachedAgingNow(): number;
  /**
   * The time to date a new order by. While the clock is behind the aging time that the ledger has
   * reached, this time goes on from that aging time. An order dated by the clock would count as old
   * once the clock is corrected, and the relay would ask about the order seldom or never.
   */
  dateNow(): number;
  /**
   * One aging time for each step forward that `agingNow` has not caught up with, the earliest
   * first. Entry i gives the age of an order that was made after step i - 1 and before step i.
   * `agingNow` does not give this age: it lags behind by all steps together, so the order would
   * seem to be made in the future. After a step back there is one more entry at the end: the time
   * that `dateNow` counted while the clock was behind. It gives the age of orders dated by it, and
   * stays when the clock is no longer behind.
   */
  agingBetweenSteps(): number[];
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
  let observed: number | null = null;
  let agingTime: { value: number; at: number } | null = null;
  /** The aging time at the moment when the clock last fell behind it. */
  let held: { value: number; at: number } | null = null;
  /** Sizes of the steps forward that the aging time has not caught up with, the oldest first. */
  let ahead: readonly number[] = [];
  let savedAt = -Infinity;
  let isOwnClock = true;

  /** @param time of the clock that may step */
  const observe = (time: number): void => {
    // while a clock stands still, the ledger's time goes on by elapsed time: orders must become due
    if (time === observed) return;
    observed = time;
    const newOffset = time - clock.elapsed();
    const change = newOffset - offset;
    offset = newOffset;
    if (Math.abs(change) < MIN_STEP_MS) return;
    steppedAt = clock.elapsed();
    if (change < 0) onStepBack();
    else noteAhead(change);
  };
  const noteAhead = (ms: number): void => {
    const [first = 0, second = 0, ...rest] = [...ahead, ms];
    ahead = rest.length + 2 > MAX_STEPS ? [first + second, ...rest] : [...ahead, ms];
  };
  const now = (): number => {
    if (isOwnClock) observe(clock.now());
    return Math.round(clock.elapsed() + offset);
  };
  const steadyMs = (): number => clock.elapsed() - steppedAt;

  /** The aging time when the clock fell behind it, plus the time since; null if it never did. */
  const counted = (): number | null => held && Math.floor(held.value + clock.elapsed() - held.at);

  const advanceAgingTime = (): number => {
    const wall = now();
    const at = clock.elapsed();
    const before = agingTime ?? { value: wall, at };
    const caughtUp = before.value + (at - before.at) * MAX_CATCH_UP_RATE;
    // clock ahead of the aging time: follow it at a limited rate until the clock is trusted
    const whenAhead = steadyMs() >= TRUST_AHEAD_AFTER_MS ? wall : Math.min(wall, caughtUp);
    // clock behind the aging time: hold the aging time until the clock is trusted
    const whenBehind = steadyMs() >= TRUST_BEHIND_AFTER_MS ? wall : before.value;
    agingTime = { value: wall >= before.value ? whenAhead : whenBehind, at };
    if (wall < agingTime.value && held?.value !== agingTime.value) held = before;
    if (wall - agingTime.value < MIN_STEP_MS) ahead = [];
    return Math.floor(Math.min(agingTime.value, wall));
  };

  /** Restores the aging time, and the last step too if the machine and its clocks are the same. */
  const restore = async (): Promise<void> => {
    const text = await ledger.setting(SETTING);
    const saved = text === null ? null : (JSON.parse(text) as Saved);
    const wall = now();
    agingTime = { value: saved?.age ?? wall, at: clock.elapsed() };
    ahead = saved?.ahead ?? [];
    if (!saved) return;
    const isSameClock =
      Math.abs(saved.offset - offset) < MIN_STEP_MS && saved.steppedAt <= steppedAt;
    if (isSameClock) {
      steppedAt = saved.steppedAt;
      agingTime.value += Math.max(0, wall - saved.seen);
    } else if (wall - saved.seen >= MIN_STEP_MS) noteAhead(wall - saved.seen);
    if (saved.seen > wall + MIN_STEP_MS) onStepBack();
  };

  const save = async (): Promise<void> => {
    const seen = now();
    const isBehind = agingTime !== null && seen < agingTime.value;
    const age = Math.round((isBehind ? counted() : agingTime?.value) ?? seen);
    const saved: Saved = { age, seen, offset, steppedAt, ahead };
    await ledger.writeSetting(SETTING, JSON.stringify(saved));
  };

  const read = async (): Promise<void> => {
    const requestedAt = clock.elapsed();
    const reading = ledger.now();
    isOwnClock = reading === null;
    // the database read its clock somewhere between the request and its answer
    if (reading) observe((await reading) + (clock.elapsed() - requestedAt) / 2);
    if (agingTime === null) await restore();
    advanceAgingTime();
  };

  return {
    now,
    steadyMs,
    // until the saved aging time is read, no order may count as old
    agingNow: () => (agingTime === null ? 0 : advanceAgingTime()),
    reachedAgingNow: () => {
      const wall = now();
      // the aging time must come from what is saved, so only `read` may begin it
      if (agingTime === null) return wall;
      const earliest = advanceAgingTime();
      return wall < agingTime.value ? (counted() ?? earliest) : earliest;
    },
    dateNow: () => {
      const wall = now();
      if (agingTime === null) return wall;
      advanceAgingTime();
      return wall >= agingTime.value ? wall : (counted() ?? wall);
    },
    agingBetweenSteps: () => {
      if (agingTime === null) return [];
      const earliest = advanceAgingTime();
      const times: number[] = [];
      let at = now();
      for (const ms of [...ahead].reverse()) {
        at -= ms;
        times.unshift(Math.max(earliest, at));
      }
      const sinceStepBack = counted();
      return sinceStepBack === null ? times : [...times, sinceStepBack];
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
