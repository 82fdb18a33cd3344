/** No file that a page loads is larger than its budget. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { buildWidget } from '../../suite/support/built-widget.js';
import { readSizes } from './sizes.js';

describe('what a page loads', () => {
  before(buildWidget);

  it('is not larger than its budget', async () => {
    const sizes = await readSizes();
    assert.equal(sizes.length, 3);
    for (const size of sizes)
      assert.ok(
        size[size.compression] <= size.budget,
        `${size.name}: ${size[size.compression]} bytes, ${size.compression}`,
      );
  });
});
