/**
 * Every state looks as it did: compared with the pictures in demo/screenshots/states, which `npm
 * run screenshots` takes anew.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { difference, kept, looks, nameOf, takeSheet } from './visual.js';
import { openShop, type Shop } from './shop.js';

/**
 * Part of a state's pixels: other engines draw letters a little differently, a button that is gone
 * is more.
 */
const TOLERANCE = 0.01;

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

describe('looks', () => {
  for (const look of looks)
    it(nameOf(look), async () => {
      const sheet = await takeSheet(shop, look);
      const before = kept(look);
      const changed = sheet.cells
        .map((cell) => ({ state: cell.state, part: difference(sheet.png, before, cell) }))
        .filter(({ part }) => part > TOLERANCE)
        .map(({ part, state }) => `${state}: ${(100 * part).toFixed(1)} %`);
      assert.deepEqual(changed, []);
      assert.ok(sheet.cells.length > 60);
    });
});
