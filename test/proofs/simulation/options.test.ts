/** Options with a wrong value are refused in one sentence. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { checkKept, readOptions, sizeOf, WrongOption, type Options } from './options.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (...args: string[]) => readOptions(args, 1_234_567);

describe('readOptions', () => {
  for (const args of [
    ['--seeds', '0'],
    ['--seeds', '-5'],
    ['--seeds', '1.5'],
    ['--seeds', 'many'],
    ['--seeds', '51-50'],
    ['--seeds', '50-51', '--seed', '7'],
    ['--seed', '-1'],
    ['--seed=-1'],
    ['--seed', ''],
    ['--seed', 'Infinity'],
    ['--minutes', '0'],
    ['--minutes=-1'],
    ['--days', '0'],
    ['--days=-0.1'],
    ['--relays', '4'],
    ['--workers', '0'],
    ['--workers', '1.5'],
    ['--workers', '2', '--twice'],
    ['--workers', '2', '--keep', 'c0x1'],
    ['--unknown'],
    ['seed'],
  ])
    it(`refuses ${args.join(' ')}`, () => assert.throws(() => read(...args), WrongOption));

  it('runs one fresh seed when no option is given', () => {
    const { keepGoing, minutes, seed, seeds, size, workers } = read();
    assert.deepEqual([seed, seeds, minutes, workers, keepGoing], [234_567, 1, Infinity, 1, false]);
    assert.deepEqual(size, { days: 0.1, relays: null });
  });

  it('reads a range of seeds, and goes on after a failure', () => {
    const { keepGoing, seed, seeds } = read('--seeds', '50-59');
    assert.deepEqual([seed, seeds, keepGoing], [50, 10, true]);
  });

  it('makes the worlds of a mutant small, unless --days is given', () => {
    for (const mutant of [['--mutants'], ['--mutant', 'any-key-opens-any-order']]) {
      assert.equal(read(...mutant).size.days, 0.03);
      assert.equal(read(...mutant, '--days', '0.2').size.days, 0.2);
    }
  });

  it('runs fresh seeds for an hour with --nightly, and prints them and the table', () => {
    const { keepGoing, minutes, orders, seeds, table } = read('--nightly', '--workers', '2');
    assert.deepEqual([seeds, minutes, keepGoing, orders, table], [Infinity, 60, true, true, true]);
    assert.equal(read('--nightly', '--minutes', '5').minutes, 5);
  });

  it('lets one world in twenty last a day with --nightly, unless --days is given', () => {
    const daysOf = (options: Options): number[] =>
      Array.from({ length: 40 }, (_, seed) => sizeOf(options, seed).days);
    assert.equal(daysOf(read('--nightly')).filter((days) => days === 1).length, 2);
    for (const options of [read(), read('--nightly', '--days', '0.1')])
      assert.ok(daysOf(options).every((days) => days === 0.1));
  });
});

describe('checkKept', () => {
  it('refuses a name that is no part of the plan', () => {
    checkKept(new Set(['c0x1']), ['c0x0', 'c0x1']);
    assert.throws(() => checkKept(new Set(['c0x1', 'nonsense']), ['c0x1']), /the name nonsense$/);
  });
});

describe('npm run simulate', () => {
  it('ends with status 2 and one sentence before the usage when an option is wrong', () => {
    for (const [args, sentence] of [
      [['--seeds', '0'], '--seeds: expected FROM-TO, or a whole number of at least 1, not "0"'],
      [['--keep', 'nonsense'], '--keep: the plan has no part with the name nonsense'],
      [['--mutant', 'nonsense'], '--mutant: expected one of '],
    ] as const) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', 'tsx', 'test/proofs/simulation/simulate.ts', ...args],
        { cwd: root, encoding: 'utf8' },
      );
      assert.equal(status, 2, stderr);
      const [first, second] = stderr.split('\n');
      assert.ok(first?.startsWith(sentence), stderr);
      assert.match(second ?? '', /^usage: /);
    }
  });
});
