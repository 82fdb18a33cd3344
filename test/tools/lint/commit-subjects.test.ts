/** The subjects of commits follow the rule of CONTRIBUTING.md. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

const FORM = /^(build|ci|docs|feat|fix|perf|refactor|release|style|test)(\([a-z-]+\))?: \S.*[^.]$/;
const MAX_COLUMNS = 72;
/** The rule was not checked before this day. */
const SINCE = '2026-11-27T05:00:00Z';

const isRight = (subject: string): boolean => FORM.test(subject) && subject.length <= MAX_COLUMNS;

/** @returns null where the sources are not in a git repository */
function subjects(): string[] | null {
  const options = { cwd: new URL('.', import.meta.url), stdio: 'pipe', encoding: 'utf8' } as const;
  const args = ['log', '--no-merges', `--since=${SINCE}`, '--format=%s'];
  try {
    return execFileSync('git', args, options).split('\n').filter(Boolean);
  } catch {
    return null;
  }
}

describe('the subjects of commits', () => {
  it('name a scope and a reason in at most 72 columns', () =>
    assert.deepEqual(subjects()?.filter((subject) => !isRight(subject)) ?? [], []));

  it('are refused when they are too long, or name no kind', () => {
    assert.equal(isRight('fix(relay): ask once'), true);
    assert.equal(isRight(`fix(relay): ${'a'.repeat(61)}`), false);
    assert.equal(isRight('Update files'), false);
    assert.equal(isRight('fix(relay): ask once.'), false);
  });
});
