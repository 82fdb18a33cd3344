/**
 * The gate of one relay process. Every call into or out of the process passes the gate. A frozen
 * process lets nothing pass until it thaws, and a killed process lets nothing pass ever again.
 */
export type Gate = {
  /** Undefined when the way is free, so that the usual case costs no promise. */
  pass(): Promise<void> | undefined;
  readonly isDead: boolean;
  readonly isFrozen: boolean;
  freeze(): void;
  /** Freezes the process right after its next claim, while it connects for the pay. */
  freezeAtNextPay(): void;
  /** Tells the gate that a pay was claimed, and that its connection is being made. */
  notePay(): void;
  thaw(): void;
  kill(): void;
  /**
   * Calls `react` when the process dies, or at once when it is dead.
   *
   * @returns a function that takes `react` back
   */
  onDeath(react: () => void): () => void;
};

export function createGate(): Gate {
  let state: 'running' | 'frozen' | 'dead' = 'running';
  let waiting: (() => void)[] = [];
  let atNextPay = false;
  const reactions = new Set<() => void>();
  const pass = (): Promise<void> | undefined => {
    if (state === 'running') return undefined;
    if (state === 'dead') return new Promise(() => {});
    // after the thaw the process may have been killed or frozen again
    return new Promise<void>((resolve) => void waiting.push(resolve)).then(() => pass());
  };
  return {
    pass,
    get isDead() {
      return state === 'dead';
    },
    get isFrozen() {
      return state === 'frozen';
    },
    freeze: () => {
      if (state === 'running') state = 'frozen';
    },
    freezeAtNextPay: () => {
      atNextPay = true;
    },
    notePay: () => {
      if (atNextPay && state === 'running') state = 'frozen';
      atNextPay = false;
    },
    thaw: () => {
      atNextPay = false;
      if (state !== 'frozen') return;
      state = 'running';
      const released = waiting;
      waiting = [];
      for (const go of released) go();
    },
    kill: () => {
      state = 'dead';
      waiting = [];
      for (const react of [...reactions]) react();
      reactions.clear();
    },
    onDeath: (react) => {
      if (state === 'dead') react();
      else reactions.add(react);
      return () => reactions.delete(react);
    },
  };
}
