/** Rate limits count customers, and ignore headers that customers forge. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress } from '../../../../relay/http/client-address.js';

describe('clientAddress', () => {
  for (const [socket, forwarded, hops, expected] of [
    ['203.0.113.7', null, 0, '203.0.113.7'],
    ['::ffff:203.0.113.7', null, 0, '203.0.113.7'],
    ['203.0.113.7', '1.2.3.4', 0, '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7', 1, '203.0.113.7'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.7, 10.0.0.2', 2, '203.0.113.7'],
    ['10.0.0.1', null, 1, '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', null, 0, '2001:db8:1:2::/64'],
    ['2001:db8::1', null, 0, '2001:db8:0:0::/64'],
    ['::1', null, 0, '0:0:0:0::/64'],
    ['::ffff:cb00:7107', null, 0, '203.0.113.7'],
    ['fe80::1%eth0', null, 0, 'fe80:0:0:0::/64'],
    ['10.0.0.1', '203.0.113.7:49152', 1, '203.0.113.7'],
    ['10.0.0.1', '[2001:db8:1:2::9]:49152', 1, '2001:db8:1:2::/64'],
    ['10.0.0.1', 'unknown', 1, 'unknown'],
  ] as const)
    it(`gives ${expected} for ${socket} with ${hops} hops and ${forwarded ?? 'no header'}`, () =>
      assert.equal(clientAddress(socket, forwarded, hops), expected));
});
