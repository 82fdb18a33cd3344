/** A run with a mutant: its options, and what its process tells when it ends. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOptions } from '../options.js';
import { findViolation, worldsOf } from './run-mutants.js';

const SUMMARY = 'seeds 1 to 20: 900 orders, 100 a minute; not held: 3';

/** Judges a process that prints these lines and then runs this code. */
const judge = (lines: readonly string[], code = ''): Promise<string | null> =>
  findViolation(
    { folder: '.', args: ['-e', `console.log(${JSON.stringify(lines.join('\n'))}); ${code}`] },
    'told as asked',
  );

describe('findViolation', () => {
  it('returns the first line that names the invariant', async () => {
    const line = 'seed 4: told as asked: another price';
    assert.equal(await judge(['seed 3: nobody waits: 90 s', line]), line);
  });

  it('returns null when another invariant was violated, and all worlds ran', async () => {
    assert.equal(await judge(['seed 3: nobody waits: 90 s', SUMMARY], 'process.exit(1)'), null);
  });

  it('throws when a signal ends the process before all worlds ran', async () => {
    const killed = judge(['seed 3: nobody waits: 90 s'], "process.kill(process.pid, 'SIGKILL')");
    await assert.rejects(killed, /did not run to their end: SIGKILL$/);
  });

  it('throws when an error ends the process before all worlds ran', async () => {
    await assert.rejects(judge([], 'process.exit(1)'), /did not run to their end: status 1$/);
  });
});

describe('worldsOf', () => {
  it('gives the worlds the seed and the days of the options', () => {
    const args = ['--mutant', 'any-key-opens-any-order', '--seed', '7', '--days', '0.2'];
    const worlds = readOptions(worldsOf('any-key-opens-any-order', readOptions(args, 0)), 0);
    assert.deepEqual([worlds.seed, worlds.size.days], [7, 0.2]);
  });
});
