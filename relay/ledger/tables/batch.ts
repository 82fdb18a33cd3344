/** Collects values for a short time, so that one statement writes many of them. */

/**
 * @param write gets the values of one batch, at least one
 * @param collectMs how long the first value waits for others
 * @returns a function that adds a value; it resolves when the value is written, and rejects when
 *   its batch cannot be written
 */
export function createBatch<Value>(
  write: (values: readonly Value[]) => Promise<void>,
  collectMs: number,
): (value: Value) => Promise<void> {
  let batch: { values: Value[]; written: Promise<void> } | null = null;
  const begin = (): { values: Value[]; written: Promise<void> } => {
    const values: Value[] = [];
    const collected = new Promise((resolve) => setTimeout(resolve, collectMs));
    const written = collected.then(() => {
      batch = null;
      return write(values);
    });
    return { values, written };
  };
  return (value) => {
    batch ??= begin();
    batch.values.push(value);
    return batch.written;
  };
}
