/**
 * Prints the failed tests, the figures that tests report, and the totals that `run.ts` adds up. The
 * runner's default reporter is not used, because it writes its totals into a progress display,
 * which `run.ts` cannot read.
 */
import type { Reporter, TestSession, TestSuiteResult } from '@web/test-runner';

/** How a test begins a line of figures that a reader wants to see. */
const FIGURES = 'figures: ';

type Totals = { passed: number; failed: number; skipped: number };

function count(suite: TestSuiteResult | undefined, totals: Totals, path: string): void {
  for (const test of suite?.tests ?? []) {
    if (test.skipped) totals.skipped++;
    else if (test.passed) totals.passed++;
    else {
      totals.failed++;
      console.log(
        `✖ ${path} ${test.name}\n  ${test.error?.message ?? ''}\n  ${test.error?.stack ?? ''}`,
      );
    }
  }
  for (const inner of suite?.suites ?? []) count(inner, totals, `${path} ${inner.name}`);
}

export function totalsReporter(): Reporter {
  return {
    stop: ({ sessions }: { sessions: TestSession[] }) => {
      const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
      for (const session of sessions) {
        const name = session.testFile.split('/test/')[1] ?? session.testFile;
        const before = totals.passed;
        count(session.testResults, totals, name);
        for (const line of (session.logs as unknown[][]).map(([first]) => String(first)))
          if (line.startsWith(FIGURES)) console.log(line);
        for (const error of session.errors)
          console.log(`✖ ${name}: ${error.message}\n${error.stack ?? ''}`);
        if (session.errors.length > 0 || !session.testResults) totals.failed++;
        else console.log(`✔ ${name} (${totals.passed - before})`);
      }
      console.log(
        `browser: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`,
      );
    },
  };
}
