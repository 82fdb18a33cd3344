/**
 * `npm run prove -- NAME [--orders N] [--seed N] … [--small] [--record]` runs one proof and prints
 * its figures.
 * `npm run prove -- NAME --mutant MUTANT` runs the proof on a copy of the source with a fault, and
 * expects the proof to break.
 * `npm run prove -- test --mutant MUTANT` does the same with a fault that a test must detect.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { mutants, testMutants, type TestMutant } from './mutants.js';
import { mutate } from './mutate.js';
import { proofs } from './proofs.js';
import { record, recordMutant } from './record.js';
import { reportLines } from './report.js';

const flags = Object.values(proofs).flatMap(({ sizes }) => Object.keys(sizes));
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries([...flags, 'mutant'].map((flag) => [flag, { type: 'string' } as const])),
    small: { type: 'boolean' },
    record: { type: 'boolean' },
  },
});
const values: Readonly<Record<string, string | boolean | undefined>> = given;
const [name = ''] = positionals;
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
const usage = (why: string): never => {
  console.error(`prove: ${why}`);
  process.exit(2);
};
if (name === 'test') testMutant(String(values.mutant));
else if (!proof) usage(`expected one of ${Object.keys(proofs).join(', ')}`);
else if (proof.missing) console.log(`prove ${name}: skipped: ${proof.missing}`);
else if (typeof values.mutant === 'string') proveMutant(values.mutant);
else {
  const defaults = values.small && proof.small ? proof.small : proof.sizes;
  const sizes = Object.fromEntries(
    Object.entries(defaults).map(([key, size]) => [
      key,
      typeof values[key] === 'string' ? Number(values[key]) : size,
    ]),
  );
  const known = ['record', 'small', 'mutant', ...Object.keys(defaults)];
  const unknown = Object.keys(values).find((key) => !known.includes(key));
  if (unknown !== undefined)
    usage(`--${unknown}: expected one of ${known.map((key) => `--${key}`).join(', ')}`);
  const started = Date.now();
  console.log(`prove ${name}: ${JSON.stringify(sizes)}`);
  const result = await proof.run(sizes);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  for (const line of reportLines(result)) console.log(line);
  console.log(`prove ${name}: ${result.held ? 'holds' : 'BROKEN'} after ${seconds} s`);
  if (values.record) record({ name, sizes, result, seconds });
  process.exit(result.held ? 0 : 1);
}

function proveMutant(mutant: string): void {
  const fault = Object.hasOwn(mutants, mutant) ? mutants[mutant] : undefined;
  const ownMutants = Object.entries(mutants).flatMap(([key, each]) =>
    each.proof === name ? [key] : [],
  );
  if (fault?.proof !== name) return usage(`--mutant: expected one of ${ownMutants.join(', ')}`);
  const copy = mutate(fault);
  execFileSync('npm', ['run', '--silent', 'build:widget'], { cwd: copy.folder, stdio: 'ignore' });
  const sizes = Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'string' && key !== 'mutant' ? [`--${key}`, value] : [],
  );
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'test/proofs/prove.ts', name, '--small', ...sizes],
    {
      cwd: copy.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  copy.remove();
  const caught = status === 1 && stdout.includes('BROKEN');
  console.log(`${stdout.trim()}\nmutant ${mutant} of ${name}: ${caught ? 'caught' : 'NOT CAUGHT'}`);
  if (values.record) recordMutant(name, mutant, caught);
  process.exit(caught ? 0 : 1);
}

function testMutant(mutant: string): void {
  const fault = Object.hasOwn(testMutants, mutant) ? testMutants[mutant] : undefined;
  if (!fault) return usage(`--mutant: expected one of ${Object.keys(testMutants).join(', ')}`);
  const copy = mutate(fault);
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', ...testArguments(fault)], {
    cwd: copy.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  copy.remove();
  const count = (result: string): number => {
    const [, ofNode, ofBrowser] =
      new RegExp(`^ℹ ${result} (\\d+)$|(\\d+) ${result}ed`, 'm').exec(stdout) ?? [];
    return Number(ofNode ?? ofBrowser ?? 0);
  };
  // a copy that does not compile fails every test, which would not show that a test works
  const caught = count('fail') > 0 && count('pass') > 0;
  console.log(`${stdout.trim()}\nmutant ${mutant}: ${caught ? 'caught' : 'NOT CAUGHT'}`);
  if (values.record) recordMutant(fault.test, mutant, caught);
  process.exit(caught ? 0 : 1);
}

/** The arguments that run the test of a fault: in Node.js, or in a browser. */
function testArguments({ only, test }: TestMutant): string[] {
  const config = 'test/tools/run/web-test-runner.config.ts';
  if (test.endsWith('.browser.test.ts'))
    return ['node_modules/@web/test-runner/dist/bin.js', '--config', config, '--files', test];
  const pattern = only === undefined ? [] : ['--test-name-pattern', only];
  return ['--test', '--test-reporter=spec', ...pattern, test];
}
