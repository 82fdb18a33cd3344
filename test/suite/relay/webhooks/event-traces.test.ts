/** The traces of events are kept in memory, within a bound. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createEventTraces } from '../../../../relay/webhooks/event-traces.js';

it('forgets the oldest events when there are more than a thousand', () => {
  const traces = createEventTraces();
  const trace = { traceparent: '00-…', traceId: '…' };
  for (let count = 0; count <= 1000; count++) traces.keep(`evt_${count}`, trace);
  assert.deepEqual(
    ['evt_0', 'evt_1', 'evt_1000'].map((eventId) => traces.of(eventId)),
    [undefined, trace, trace],
  );
});
