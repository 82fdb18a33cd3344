/**
 * The ledger's time: the database's clock where it has one, else this process's wall clock.
 *
 * A wall clock can step: a machine boots with a wrong date, and a time server corrects it. Times
 * stored before a step are then not comparable with the new time. This clock detects a step by
 * comparing wall time with elapsed time, and reports how long it has run without one. A deadline
 * counts as passed only when the clock ran without a step for as long as the deadline takes.
 */
import type { Clock } from '../runtime.js';
import type { Ledger } from './ledger.js';

/** Below this a difference is no step: a busy process reads the two clocks at two moments. */
const MIN_STEP_MS = 1000;
/** A wall clock behind the ledger's age is trusted after this long without a step. */
const TRUST_BEHIND_AFTER_MS = 3_600_000;
/** A wall clock ahead of the ledger's age is trusted after this long without a step. */
const TRUST_AHEAD_AFTER_MS = 24 * TRUST_BEHIND_AFTER_MS;
/** The age catches up with the wall clock at most this much faster than real time. */
const MAX_CATCH_UP_RATE = 1.1;
const SAVE_EVERY_MS = 60_000;
/** Steps forward that are kept apart; when there are more, the oldest two count as one. */
const MAX_STEPS = 20;

/** Name of the ledger setting that holds `Saved` as JSON. */
const SETTING = 'clock';

/**
 * The time that orders age by, the ledger's time when it was saved (`seen`), and the clock's state:
 * `offset` and `steppedAt` count from the start of the machine that wrote them. An earlier version
 * of the relay did not save `ahead`.
 */
type Saved = {
  age: number;
  seen: number;
  offset: number;
  steppedAt: number;
  ahead?: readonly number[];
};

export type LedgerClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since the last step, or since this clock was created. */
  steadyMs(): number;
  /**
   * The time by which orders age. It never runs far ahead of real time, so that after a step
   * forward no order is purged or left unchecked before its days have really passed.
   */
  ageNow(): number;
  /**
   * The age that the ledger has reached. Unlike `ageNow` it does not go back with a clock that lies
   * behind it: a moment noted then would be many hours old as soon as the clock is right again.
   */
  reachedNow(): number;
  /**
   * The time to date a new order by. While the clock lies behind the age that the ledger has
   * reached, it counts on from that age: an order dated by such a clock would count as old, and be
   * asked about seldom or never, as soon as the clock is right again.
   */
  dateNow(): number;
  /**
   * The times by which orders age that were made before or between the steps forward which
   * `ageNow` has not caught up with, the earliest first. `ageNow` lags behind by all steps
   * together, and is earlier than the date of an order that was made after the first one.
   */
  betweenNow(): number[];
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
  let age: { value: number; at: number } | null = null;
  /** The sizes of the steps forward that the age has not caught up with, the oldest first. */
  let ahead: readonly number[] = [];
  let savedAt = -Infinity;
  let ownClock = true;

  const observe = (time: number): void => {
    const seen = time - clock.elapsed();
    const change = seen - offset;
    offset = seen;
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
    if (ownClock) observe(clock.now());
    return Math.round(clock.elapsed() + offset);
  };
  const steadyMs = (): number => clock.elapsed() - steppedAt;

  const advanceAge = (): number => {
    const wall = now();
    const at = clock.elapsed();
    const before = age ?? { value: wall, at };
    const grown = before.value + (at - before.at) * MAX_CATCH_UP_RATE;
    const forward = steadyMs() >= TRUST_AHEAD_AFTER_MS ? wall : Math.min(wall, grown);
    const behind = steadyMs() >= TRUST_BEHIND_AFTER_MS ? wall : before.value;
    age = { value: wall >= before.value ? forward : behind, at };
    if (wall - age.value < MIN_STEP_MS) ahead = [];
    return Math.floor(Math.min(age.value, wall));
  };

  /** Restores the age, and the last step too if the machine and its clocks are the same. */
  const restore = async (): Promise<void> => {
    const text = await ledger.setting(SETTING);
    const saved = text === null ? null : (JSON.parse(text) as Saved);
    const wall = now();
    age = { value: saved?.age ?? wall, at: clock.elapsed() };
    ahead = saved?.ahead ?? [];
    if (!saved) return;
    if (Math.abs(saved.offset - offset) < MIN_STEP_MS && saved.steppedAt <= steppedAt) {
      steppedAt = saved.steppedAt;
      // behind its age a clock does not move the age; the time since the step is counted instead
      if (saved.seen > saved.age - MIN_STEP_MS) age.value += Math.max(0, wall - saved.seen);
    } else if (wall - saved.seen >= MIN_STEP_MS) noteAhead(wall - saved.seen);
    if (saved.seen > wall + MIN_STEP_MS) onStepBack();
  };

  const save = async (): Promise<void> => {
    const seen = now();
    const saved: Saved = { age: Math.round(age?.value ?? seen), seen, offset, steppedAt, ahead };
    await ledger.writeSetting(SETTING, JSON.stringify(saved));
  };

  const read = async (): Promise<void> => {
    const asked = clock.elapsed();
    const reading = ledger.now();
    ownClock = reading === null;
    // the database read its clock somewhere between the request and its answer
    if (reading) observe((await reading) + (clock.elapsed() - asked) / 2);
    if (age === null) await restore();
    advanceAge();
  };

  return {
    now,
    steadyMs,
    // until the saved age is read, no order may count as old
    ageNow: () => (age === null ? 0 : advanceAge()),
    reachedNow: () => {
      const wall = now();
      const earliest = advanceAge();
      return age !== null && wall < age.value ? Math.floor(age.value + steadyMs()) : earliest;
    },
    dateNow: () => {
      const wall = now();
      if (age === null) return wall;
      advanceAge();
      return wall >= age.value ? wall : Math.floor(age.value + steadyMs());
    },
    betweenNow: () => {
      if (age === null) return [];
      const earliest = advanceAge();
      let at = now();
      const times = [...ahead].reverse().map((ms) => Math.max(earliest, (at -= ms)));
      return times.reverse();
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
