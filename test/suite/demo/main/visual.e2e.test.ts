/**
 * Compares every state with the contact sheets in demo/screenshots/states; `npm run screenshots`
 * replaces them after an intended change.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { difference, storedSheet, nameOf, variants, takeSheet } from './visual.js';
import { openShop, type Shop } from '../../support/demo-shop.js';

/**
 * Part of a state's pixels that may differ. Versions of Chromium draw letters a little differently;
 * a missing button changes more pixels.
 */
const MAX_DIFFERENCE = 0.01;

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

describe('the contact sheets', () => {
  for (const variant of variants)
    it(`the element draws every state as before in ${nameOf(variant)}`, async () => {
      const sheet = await takeSheet(shop, variant);
      const before = storedSheet(variant);
      const changed = sheet.cells
        .map((cell) => ({ state: cell.state, part: difference(sheet.png, before, cell) }))
        .filter(({ part }) => part > MAX_DIFFERENCE)
        .map(({ part, state }) => `${state}: ${(100 * part).toFixed(1)} %`);
      assert.deepEqual(changed, []);
      assert.ok(sheet.cells.length > 60);
    });
});
