/**
 * Divides much work over the turns of the event loop. The process reads its connections once in
 * each turn; a turn that answers hundreds of pages would let all other customers wait.
 *
 * A timer is no end of a turn: Node.js runs timers that have become due in the meantime before it
 * reads connections again.
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
