/**
 * The gate of one relay process: whatever reaches the process from outside passes it. A frozen
 * process lets nothing pass until it goes on, and a killed one never does.
 */
export type Gate = {
  /** Undefined when the way is free, so that the usual case costs no promise. */
  pass(): Promise<void> | undefined;
  readonly isDead: boolean;
  readonly isFrozen: boolean;
  freeze(): void;
  /** Freezes the process right after its next claim, while it connects for the pay. */
  freezeAtNextPay(): void;
  /** A pay was claimed, and its connection is being made. */
  notePay(): void;
  thaw(): void;
  kill(): void;
  /** Called when the process dies, or at once when it is dead. */
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
