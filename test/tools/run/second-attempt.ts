/** Which test files of a stage run once more, because a busy machine may have failed them. */

/** More failed files than this come from a fault, not from a busy machine. */
const MAX_FILES = 4;

/**
 * The arguments that run the failed files of a stage once more.
 *
 * @param args the stage's arguments for Node; its test files are among them, or its runner finds
 *   them itself
 * @param output of the stage; Node's spec reporter names the place of each failed test
 * @returns null when the output names no failed file, or more than a busy machine explains
 */
export function secondAttempt(args: readonly string[], output: string): string[] | null {
  const isFile = (arg: string): boolean => arg.endsWith('.test.ts');
  if (!args.some(isFile)) return [...args];
  const places = output.matchAll(/^test at (\S+\.test\.ts):\d+:\d+$/gm);
  const failed = new Set([...places].flatMap(([, file]) => file ?? []));
  if (failed.size === 0 || failed.size > MAX_FILES) return null;
  return [...args.filter((arg) => !isFile(arg)), ...failed];
}
