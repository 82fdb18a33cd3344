import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failedTests } from './failed-tests.js';

const NODE = `▶ an order
  ✔ is kept (1 ms)
  ✖ is asked about (2 ms)
    AssertionError [ERR_ASSERTION]: seed 7: no order is doubled
        at Test.run (node:internal/test_runner/test:796:25)

✖ an order (3 ms)
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at test/relay/order.test.ts:2:20
✖ is asked about (2 ms)
  AssertionError [ERR_ASSERTION]: seed 7: no order is doubled
      at TestContext.<anonymous> (test/relay/order.test.ts:2:38)
      at Test.runInAsyncScope (node:async_hooks:206:9)
      at node:internal/test_runner/test:1133:71
`;

describe('the failed tests of a stage', () => {
  it('are those that Node names at the end, without the frames of its runner', () => {
    assert.deepEqual(failedTests(NODE), [
      'test at test/relay/order.test.ts:2:20',
      '✖ is asked about (2 ms)',
      '  AssertionError [ERR_ASSERTION]: seed 7: no order is doubled',
      '      at TestContext.<anonymous> (test/relay/order.test.ts:2:38)',
    ]);
  });

  it('are those of the browser that failed, with their errors', () => {
    const output = ['✖ a.ts pays', '  expected 1', '✔ b.ts (3)', 'browser: 3 passed, 1 failed'];
    assert.deepEqual(failedTests(output.join('\n')), ['✖ a.ts pays', '  expected 1']);
  });

  it('are the last lines of a stage that crashed, and never more than 60 lines', () => {
    assert.deepEqual(failedTests('loading\nError: no memory\n'), ['loading', 'Error: no memory']);
    const long = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n');
    assert.deepEqual(failedTests(long).at(-1), 'line 199');
    assert.ok(failedTests(`✖ failing tests:\n${long}`).length <= 60);
  });
});
