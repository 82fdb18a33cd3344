/** Only a well-formed `traceparent` is taken. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTrace } from '../../../../relay/contract/trace.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the header traceparent', () => {
  it('is taken as it came, with its trace id', () => {
    const traceparent = `00-${TRACE_ID}-${PARENT}-01`;
    assert.deepEqual(readTrace(new Headers({ traceparent })), { traceparent, traceId: TRACE_ID });
  });

  it('is ignored when it is absent', () => {
    assert.equal(readTrace(new Headers()), undefined);
  });

  for (const [what, traceparent] of [
    ['another version', `01-${TRACE_ID}-${PARENT}-01`],
    ['the version ff', `ff-${TRACE_ID}-${PARENT}-01`],
    ['capital letters', `00-${TRACE_ID.toUpperCase()}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE_ID.slice(1)}-${PARENT}-01`],
    ['a further part', `00-${TRACE_ID}-${PARENT}-01-anna@example.com`],
    ['two values', `00-${TRACE_ID}-${PARENT}-01, 00-${TRACE_ID}-${PARENT}-01`],
    ['another letter', `00-${TRACE_ID.replace('4', 'g')}-${PARENT}-01`],
    ['no flags', `00-${TRACE_ID}-${PARENT}`],
    ['10,000 characters', `00-${TRACE_ID}-${PARENT}-01${'0'.repeat(10_000)}`],
  ] as const)
    it(`is ignored when it has ${what}`, () => {
      assert.equal(readTrace(new Headers({ traceparent })), undefined);
    });
});
