/** Clock and timer of the checkout; a test replaces them where it would wait for seconds. */
export const timing = {
  nowMs: (): number => performance.now(),
  /** @returns a function that cancels the call */
  after: (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
