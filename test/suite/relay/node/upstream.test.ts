/** What the metrics say to a person about the calls of the order service. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '../../../../relay/node/metrics.js';

describe('the calls of the order service', () => {
  it('are counted by their result, in all operations', async () => {
    const { metrics, upstream } = createMetrics();
    const ended = (operation: string, result: string, seconds: number): void =>
      metrics.observe('upstream_seconds', seconds, { operation, result });
    for (let n = 0; n < 18; n++) ended(n % 2 === 0 ? 'query' : 'pay', 'ok', 0.04);
    ended('pay', 'outcome_unknown', 0.4);
    ended('query', 'refused', 40);
    const told = await upstream();
    assert.deepEqual(told.results, { ok: 18, outcome_unknown: 1, refused: 1 });
    assert.deepEqual([told.half_s, told.most_s], [0.05, 0.5]);
    ended('query', 'refused', 40);
    assert.equal((await upstream()).most_s, null);
  });

  it('have no latency before the first one', async () => {
    assert.deepEqual(await createMetrics().upstream(), { results: {}, half_s: null, most_s: null });
  });
});
