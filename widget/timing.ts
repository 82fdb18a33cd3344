/** Clock and timer of the checkout; a test replaces them where it would wait for seconds. */
export const timing = {
  nowMs: (): number => performance.now(),
  /** @returns a function that cancels the call */
  after: (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * `AbortSignal.any` and `timeout` are missing in browsers of 2022.
 *
 * @returns a signal that aborts with the other one, or after a time; `release` must be called
 *   when the work is done
 */
export function limited(
  ms: number,
  other?: AbortSignal,
): { readonly signal: AbortSignal; release(): void } {
  const abort = new AbortController();
  const end = (): void => abort.abort();
  if (other?.aborted) end();
  other?.addEventListener('abort', end);
  const cancel = timing.after(ms, () => abort.abort(Error('no answer in time')));
  return {
    signal: abort.signal,
    release: () => {
      cancel();
      other?.removeEventListener('abort', end);
    },
  };
}
