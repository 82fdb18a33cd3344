/**
 * Which files of Node tests run in a process of their own. The others share one process, because
 * most of the time of a small file is the load of the relay's code.
 */

/** Starts a process or a database, or changes what all files of a process share. */
const NEEDS_OWN: readonly RegExp[] = [
  /child_process/,
  /support\/(postgres|pgbouncer|browser|renderer|relay-command|run-command|built-widget)/,
  /process\.(chdir|env|exit|kill|on)\b/,
  /globalThis|\bmock\./,
];

/** @param source the text of a test file */
export const needsOwnProcess = (source: string): boolean =>
  NEEDS_OWN.some((pattern) => pattern.test(source));
