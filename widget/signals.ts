/** Signals that end a request. `AbortSignal.any` and `timeout` are missing in browsers of 2022. */

/**
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
  const timer = setTimeout(end, ms);
  return {
    signal: abort.signal,
    release: () => {
      clearTimeout(timer);
      other?.removeEventListener('abort', end);
    },
  };
}
