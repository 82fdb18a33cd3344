/** The suite mirrors the source, and every test file has a runner. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allStages } from '../run/stages.js';
import { isFlow, root, testFiles } from '../run/test-files.js';
import { withoutSource } from './mirror.js';

describe('the suite', () => {
  it('has no test whose folder names nothing in the source', () => {
    assert.deepEqual(withoutSource(root, testFiles()), []);
  });

  it('reports a test of a folder or a file that does not exist', () => {
    const wrong = ['test/suite/relay/nowhere/a.test.ts', 'test/suite/relay/app/deep/a.test.ts'];
    const right = ['test/suite/relay/app/a.test.ts', 'test/suite/relay/orders/a.test.ts'];
    assert.deepEqual(withoutSource(root, [...wrong, ...right]), wrong);
  });
});

describe('the stages', () => {
  it('run every test file once, and every flow test twice', () => {
    const runs = allStages().flatMap(({ files }) => files);
    const files = testFiles();
    assert.deepEqual([...runs].sort(), [...files, ...files.filter(isFlow)].sort());
  });

  it('have some files each', () => {
    for (const { files, name } of allStages()) assert.notEqual(files.length, 0, name);
  });
});
