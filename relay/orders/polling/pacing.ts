/**
 * When long polls end, and how much a turn of the event loop does.
 *
 * After a restart all customers return at once. Long polls of the same length would then also end
 * at once, again and again, and each time the relay would answer all others late. And the process
 * reads its connections once in each turn: a turn that answers hundreds of pages would let all
 * other customers wait. A timer is no end of a turn: Node.js runs timers that have become due in
 * the meantime before it reads connections again.
 */

/** Calls `work` after the connections were read. A browser has only timers for this. */
function afterReading(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise(afterReading);

/**
 * @param most how many callers may go on in one turn
 * @returns a function that resolves when the caller may go on, in the order of the calls
 */
export function createTurns(most: number): () => Promise<void> {
  const waiting = new Set<() => void>();
  let entered = 0;
  let isEnding = false;

  const endTurn = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await nextTurn();
    isEnding = false;
    entered = 0;
    for (const enter of waiting) {
      if (entered === most) break;
      waiting.delete(enter);
      entered++;
      enter();
    }
    if (waiting.size > 0) void endTurn();
  };

  return async () => {
    void endTurn();
    if (entered < most && waiting.size === 0) {
      entered++;
      return;
    }
    await new Promise<void>((resolve) => waiting.add(resolve));
  };
}

/** Ends are counted in slots of this length. */
const SLOT_MS = 250;
/** A long poll is shortened by at most this part of its time. */
const MAX_SHORTENED_PART = 0.4;
/** A slot is full at this many times the average of the slots in which the long poll may end. */
const FULL_AT_AVERAGE = 1.25;
/** So few ends in a slot are not too many, whatever the average is. */
const NEVER_FULL_BELOW = 20;
const GOLDEN_RATIO_FRACTION = 0.618033988749895;

/**
 * @param elapsed in milliseconds; it never goes back
 * @returns a function that takes the milliseconds that a page wants to wait, and returns those that
 *   it waits: as long as possible, but not until a slot that is full
 */
export function createEvenEnds(elapsed: () => number): (ms: number) => number {
  /** The number of long polls that end in each slot. */
  const ends = new Map<number, number>();
  const nextFraction = evenFractions();

  const endsIn = (slot: number): number => ends.get(slot) ?? 0;

  const forgetBefore = (slot: number): void => {
    for (const past of ends.keys()) if (past < slot) ends.delete(past);
  };

  /** The latest slot that is not full. There is one, because some slot is not above the average. */
  const choose = (first: number, last: number): number => {
    let sum = 0;
    for (let slot = first; slot <= last; slot++) sum += endsIn(slot);
    const average = sum / (last - first + 1);
    const full = Math.max(NEVER_FULL_BELOW, FULL_AT_AVERAGE * average);
    let slot = last;
    while (endsIn(slot) >= full) slot--;
    return slot;
  };

  return (ms) => {
    const now = elapsed();
    const last = Math.floor((now + ms) / SLOT_MS);
    const first = Math.min(last, Math.ceil((now + ms * (1 - MAX_SHORTENED_PART)) / SLOT_MS));
    forgetBefore(Math.floor(now / SLOT_MS));
    const chosen = choose(first, last);
    ends.set(chosen, endsIn(chosen) + 1);
    return chosen === last ? ms : (chosen + nextFraction()) * SLOT_MS - now;
  };
}

/**
 * Fractions between 0 and 1. Multiples of the golden ratio, without their whole part, lie evenly
 * however many are drawn, while random numbers form clusters.
 */
function evenFractions(): () => number {
  let drawn = 0;
  return () => {
    drawn++;
    return (drawn * GOLDEN_RATIO_FRACTION) % 1;
  };
}
