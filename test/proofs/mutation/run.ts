/**
 * `npm run mutation [-- PATH…]` changes the source in small ways, and runs the tests against each
 * change. It prints the score and the survivors of each folder, and fails when a survivor is not in
 * `survivors.json` or the score is too low. The first call installs the tool.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FOLDERS, select, type Selection } from './folders.js';
import { installStryker } from './install.js';
import { readReport, type Report, type Result } from './report.js';
import { isKnown, readKnown } from './survivors.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const report = `${root}coverage/mutation/report.json`;
const MIN_SCORE_PERCENT = 90;

function call(command: string, args: string[], env: Record<string, string> = {}): void {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''} failed`);
}

function mutate(stryker: string, { folder, mutate }: Selection): Result {
  rmSync(report, { force: true });
  const args = [stryker, 'run', 'test/proofs/mutation/stryker.config.mjs', '--mutate', mutate];
  call(process.execPath, args, { MUTATION_TESTS: (FOLDERS[folder] ?? []).join(',') });
  return readReport(JSON.parse(readFileSync(report, 'utf8')) as Report);
}

/**
 * Prints the result of one run.
 *
 * @returns whether the score is high enough, and every survivor is listed
 */
function print({ path }: Selection, { detected, leftOut, survivors }: Result): boolean {
  const known = readKnown();
  const unlisted = survivors.filter((survivor) => !isKnown(known, survivor));
  for (const { at, change, file, line } of survivors) {
    const listed = isKnown(known, { at, change, file, line }) ? 'listed' : 'NOT LISTED';
    console.log(`${listed} ${file}:${at}\n  ${JSON.stringify({ line, change })}`);
  }
  for (const [reason, count] of leftOut) console.log(`left out, ${count}: ${reason}`);
  const all = detected + survivors.length;
  const score = all === 0 ? 100 : (100 * detected) / all;
  console.log(
    `${path}: ${score.toFixed(1)} %: ${detected} of ${all} mutants detected, ` +
      `${survivors.length} survived, ${unlisted.length} of them without a reason\n`,
  );
  return unlisted.length === 0 && score >= MIN_SCORE_PERCENT;
}

const selections = select(process.argv.slice(2));
const stryker = installStryker();
const results = selections.map((selection) => print(selection, mutate(stryker, selection)));
process.exit(results.every(Boolean) ? 0 : 1);
