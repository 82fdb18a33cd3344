/** What a stage says of its failed tests, for the last lines of the whole run. */

const MAX_LINES = 60;
const HEADING = '✖ failing tests:';
/** Frames of Node's test runner; they say nothing about the failure. */
const RUNNER_FRAME = /^\s+at .*node:(internal|async_hooks)/;

/** The reporter of the browser tests begins each failed test with `✖`, and others with `✔`. */
function failedBrowserTests(lines: readonly string[]): string[] {
  let isFailed = false;
  return lines.filter((line) => {
    if (/^(✖|✔|browser:)/.test(line)) isFailed = line.startsWith('✖');
    return isFailed;
  });
}

/**
 * @param output of a stage: of Node's spec reporter, or of `totals-reporter.ts`
 * @returns the failed tests with their errors, at most 60 lines; the last lines of the output when
 *   it names no failed test, because then its process has crashed
 */
export function failedTests(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !RUNNER_FRAME.test(line));
  const heading = lines.lastIndexOf(HEADING);
  const failed = heading === -1 ? failedBrowserTests(lines) : lines.slice(heading + 1);
  if (failed.length > 0) return failed.slice(0, MAX_LINES);
  return lines.slice(-MAX_LINES / 2);
}
