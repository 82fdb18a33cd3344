/** The pages inside an app have origins of their own schemes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { origin } from '../../../../relay/config/web-addresses.js';
import { createWorld, openIntent, testConfig } from '../../support/world.js';

describe('an origin of an app', () => {
  for (const value of ['capacitor://localhost', 'ionic://localhost', 'tauri://localhost'])
    it(`${value} can be configured, and its page can check out`, async () => {
      assert.equal(origin.safeParse(value).success, true);
      const world = createWorld({ config: { shop: { ...testConfig.shop, origins: [value] } } });
      const attempt = '6f1c1a52-3c5e-4c1e-9d5b-0a1b2c3d4e5f';
      const page = { ...openIntent, attempt };
      assert.equal((await world.ask('/v1/checkout', page, { origin: value })).status, 200);
      const other = await world.ask('/v1/checkout', page, { origin: 'ionic://other' });
      assert.deepEqual([other.status, other.body.error !== undefined], [403, true]);
    });

  for (const value of [
    'capacitor://localhost/',
    'capacitor://',
    'capacitor://*',
    'Capacitor://localhost',
    'capacitor://user@localhost',
    'file://localhost',
    'javascript://localhost',
    'null',
  ])
    it(`${value} is refused`, () => assert.equal(origin.safeParse(value).success, false));
});
