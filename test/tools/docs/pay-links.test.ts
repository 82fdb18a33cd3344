/** The request of the guide makes a pay link, and its answer has the fields of a real one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { codeOf, createShop } from '../../suite/relay/routes/shop.js';

const page = readFileSync(new URL('../../../docs/guides/pay-links.md', import.meta.url), 'utf8');
const [request, answer] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, block = '']) => JSON.parse(block) as Record<string, unknown>,
);

it('the guide’s request makes a pay link, and is answered with the guide’s fields', async () => {
  const shop = await createShop();
  const { body, status } = await shop.ask('/v1/pay-links', request);
  assert.equal(status, 200, codeOf({ body }));
  assert.deepEqual(Object.keys(body), Object.keys(answer ?? {}));
  for (const [name, value] of Object.entries(answer ?? {}))
    assert.equal(String(body[name]).length, String(value).length, name);
});
