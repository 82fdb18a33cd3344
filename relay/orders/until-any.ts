/**
 * A signal that aborts with any of `sources`, for as long as `work` takes.
 *
 * Not `AbortSignal.any`: with a source as old as the process, Node 20 keeps every signal ever made from it.
 */
export async function untilAny<T>(sources: readonly AbortSignal[], work: (ends: AbortSignal, end: () => void) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  for (const source of sources) {
    if (source.aborted) end();
    source.addEventListener('abort', end, { once: true });
  }
  try {
    return await work(controller.signal, end);
  } finally {
    for (const source of sources) source.removeEventListener('abort', end);
  }
}
