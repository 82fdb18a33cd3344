/**
 * Remembers the result of a load that succeeded; one that failed is tried again by the next call.
 */
export function remember<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
