/** Reads and writes of the maps that the ledger in memory keeps its rows in. */

/** @throws Error when the row is missing */
export const stored = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`the ledger has no ${what}`);
  return value;
};

/**
 * Stores a row unless the key has one.
 *
 * @returns the stored row
 */
export const keep = <T>(rows: Map<string, T>, key: string, row: T): T => {
  if (!rows.has(key)) rows.set(key, row);
  return stored(rows.get(key), key);
};
