/** The public contract changes only on purpose: `npm run contract` rewrites its snapshot. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { createWorld } from '../../suite/support/world.js';
import { publicContract } from './public-contract.js';

const PATHS = ['/healthz', '/readyz', '/r'] as const;

it('keeps every route, schema, code, field, attribute, event and part as recorded', async () => {
  const file = new URL('public-contract.json', import.meta.url);
  const recorded: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const now: unknown = JSON.parse(JSON.stringify(await publicContract()));
  assert.deepEqual(now, recorded);
});

it('answers on the paths that the contract does not list', async () => {
  const { relay } = createWorld();
  for (const path of PATHS) {
    const response = await relay.fetch(new Request(`https://shop.example${path}`));
    assert.equal(response.status, 200, path);
  }
  const signal = await relay.fetch(new Request('https://shop.example/v1/notify/anything'));
  assert.equal(signal.status, 200);
});
