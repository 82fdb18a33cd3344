import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondAttempt } from './second-attempt.js';

const ARGS = ['--test', '--test-concurrency=1', 'test/e2e/a.test.ts', 'test/e2e/b.test.ts'];
const failedAt = (...files: string[]): string =>
  files.map((file) => `\ntest at ${file}:390:5\n✖ does x when y (3 ms)\n`).join('');

describe('the second attempt of a stage', () => {
  it('runs each file with a failed test once, with the flags of the stage', () => {
    const output = failedAt('test/e2e/b.test.ts', 'test/e2e/b.test.ts');
    assert.deepEqual(secondAttempt(ARGS, output), [
      '--test',
      '--test-concurrency=1',
      'test/e2e/b.test.ts',
    ]);
  });

  it('runs the whole stage when its runner finds the files itself', () => {
    assert.deepEqual(secondAttempt(['wtr', '--config', 'x.ts'], ''), ['wtr', '--config', 'x.ts']);
  });

  it('is left out when no file is named, or when many files failed', () => {
    assert.equal(secondAttempt(ARGS, 'the process crashed'), null);
    const many = Array.from({ length: 5 }, (_, index) => `test/e2e/${index}.test.ts`);
    assert.equal(secondAttempt(ARGS, failedAt(...many)), null);
  });
});
