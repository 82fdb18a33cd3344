/**
 * The ledger's time: the database's clock where it has one, else this process's wall clock.
 *
 * A wall clock steps: a machine boots with a wrong date, and a time server mends it. What was
 * stored before a step is then compared with a time that is no longer related to it. This clock
 * notices steps by comparing wall time with elapsed time, and says how long it has run steadily.
 * A deadline counts as passed only when the clock ran steadily for as long as the deadline takes.
 */
import type { Clock } from '../runtime.js';
import type { Ledger } from './ledger.js';

/** Two readings may differ by this much: a busy process reads the two clocks at two moments. */
const STEP_MS = 1000;
/** After this long without a step a wall clock that lags behind the ledger's age is believed. */
const BELIEVED_BEHIND_MS = 3_600_000;
/** After this long without a step a wall clock that runs ahead of it is believed. */
const BELIEVED_AHEAD_MS = 24 * BELIEVED_BEHIND_MS;
/** How much faster than real time the age may catch up with the wall clock. */
const CATCH_UP = 1.1;
const SAVE_EVERY_MS = 60_000;

/** Setting of the ledger, as JSON of Saved. */
const SETTING = 'clock';

/** `offset` and `steppedAt` are those of the machine that wrote them, since its start. */
type Saved = { age: number; seen: number; offset: number; steppedAt: number };

export type LedgerClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since the last step, or since this process began to look. */
  steadyMs(): number;
  /**
   * The time by which orders grow old. It never runs ahead of real time by much: after a step
   * forward nothing is forgotten or left alone before its days have really passed.
   */
  ageNow(): number;
  /** Reads the database's clock, and what an earlier process saved. */
  read(): Promise<void>;
  /** Reads, and saves how far time has come. Call it every few seconds. */
  sync(): Promise<void>;
};

/** @param onStepBack called after a step back, and when the ledger was last seen in the future */
export function createLedgerClock(
  ledger: Pick<Ledger, 'now' | 'setting' | 'writeSetting'>,
  clock: Clock,
  onStepBack: () => void,
): LedgerClock {
  /** Ledger time minus elapsed time, as last read. */
  let offset = clock.now() - clock.elapsed();
  let steppedAt = clock.elapsed();
  let age: { value: number; at: number } | null = null;
  let savedAt = -Infinity;
  let ownClock = true;

  const observe = (time: number): void => {
    const seen = time - clock.elapsed();
    const change = seen - offset;
    offset = seen;
    if (Math.abs(change) < STEP_MS) return;
    steppedAt = clock.elapsed();
    if (change < 0) onStepBack();
  };
  const now = (): number => {
    if (ownClock) observe(clock.now());
    return Math.round(clock.elapsed() + offset);
  };
  const steadyMs = (): number => clock.elapsed() - steppedAt;

  const growOld = (): number => {
    const wall = now();
    const at = clock.elapsed();
    const before = age ?? { value: wall, at };
    const grown = before.value + (at - before.at) * CATCH_UP;
    const ahead = steadyMs() >= BELIEVED_AHEAD_MS ? wall : Math.min(wall, grown);
    const behind = steadyMs() >= BELIEVED_BEHIND_MS ? wall : before.value;
    age = { value: wall >= before.value ? ahead : behind, at };
    return Math.floor(Math.min(age.value, wall));
  };

  /** A process that starts again on the same machine, whose clocks still agree, goes on. */
  const goOn = async (): Promise<void> => {
    const text = await ledger.setting(SETTING);
    const saved = text === null ? null : (JSON.parse(text) as Saved);
    const wall = now();
    age = { value: saved?.age ?? wall, at: clock.elapsed() };
    if (!saved) return;
    if (Math.abs(saved.offset - offset) < STEP_MS && saved.steppedAt <= steppedAt) {
      steppedAt = saved.steppedAt;
      age.value += Math.max(0, wall - saved.seen);
    }
    if (saved.seen > wall + STEP_MS) onStepBack();
  };

  const save = async (): Promise<void> => {
    const seen = now();
    const saved: Saved = { age: Math.round(age?.value ?? seen), seen, offset, steppedAt };
    await ledger.writeSetting(SETTING, JSON.stringify(saved));
  };

  const read = async (): Promise<void> => {
    const asked = clock.elapsed();
    const reading = ledger.now();
    ownClock = reading === null;
    // the database read its clock somewhere between the question and its answer
    if (reading) observe((await reading) + (clock.elapsed() - asked) / 2);
    if (age === null) await goOn();
    growOld();
  };

  return {
    now,
    steadyMs,
    // before it is read nothing is old
    ageNow: () => (age === null ? 0 : growOld()),
    read,
    sync: async () => {
      await read();
      if (clock.elapsed() - savedAt < SAVE_EVERY_MS) return;
      savedAt = clock.elapsed();
      await save();
    },
  };
}
