/** What the metrics say to a person about the calls of the order service. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createMetrics } from '../../../../relay/node/metrics.js';
import { bearer, createWorld, openIntent, testConfig, until } from '../../support/world.js';

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

  it('count the answer “no such order” for itself, because it is no refusal', async () => {
    const { metrics, upstream } = createMetrics();
    const service = { ...testConfig.service, not_found_codes: ['4040'] };
    const { ask, relay, sandbox } = createWorld({ config: { service }, metrics });
    const { body } = await ask('/v1/pay', {
      ...openIntent,
      attempt: crypto.randomUUID(),
      option: 'card',
    });
    const refused = { operation: 'query', fault: 'refusal' } as const;
    for (const value of ['4040', '4041']) sandbox.faults.add({ ...refused, value });
    sandbox.faults.add({ operation: 'pay', fault: 'refusal', value: '4040' });
    const { request_id } = body.order!;
    const results = { ok: 1, not_found: 1, refused: 1 };
    await until(async () => {
      await ask('/v1/query', { request_id }, bearer);
      return isDeepStrictEqual((await upstream()).results, results);
    }, JSON.stringify(results));
    await relay.close();
  });

  it('have no latency before the first one', async () => {
    assert.deepEqual(await createMetrics().upstream(), { results: {}, half_s: null, most_s: null });
  });
});
