/** The totals that a test runner prints. */

export type Totals = { passed: number; failed: number; skipped: number };

/**
 * Reads `ℹ pass 12` of Node's spec reporter, or `browser: 12 passed, 0 failed, 0 skipped` of
 * `totals-reporter.ts`.
 */
export function readTotals(output: string): Totals {
  const last = (pattern: RegExp): number => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const browser = /^browser: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output);
  if (browser)
    return { passed: Number(browser[1]), failed: Number(browser[2]), skipped: Number(browser[3]) };
  return {
    passed: last(/^ℹ pass (\d+)$/gm),
    failed: last(/^ℹ fail (\d+)$/gm) + last(/^ℹ cancelled (\d+)$/gm),
    skipped: last(/^ℹ skipped (\d+)$/gm),
  };
}

export const line = ({ failed, passed, skipped }: Totals): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
