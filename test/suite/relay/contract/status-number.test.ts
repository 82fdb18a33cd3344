/** Which statuses are read, and that the configuration can map each of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statusKey, statusNumber } from '../../../../relay/contract/status-number.js';

describe('a status', () => {
  for (const status of [0, 11, -20, 1_000_000_000, 2_147_483_647, -2_147_483_648])
    it(`can be ${status}, as a number or in digits, and be a key of the table`, () => {
      const digits = String(status);
      assert.equal(statusNumber.parse(status), status);
      assert.equal(statusNumber.parse(digits), status);
      assert.equal(statusKey.parse(digits), digits);
    });

  for (const text of ['2147483648', '-2147483649', '1.5', '+1', '1e3', '', 'paid'])
    it(`is never ${JSON.stringify(text)}`, () => {
      assert.equal(statusNumber.safeParse(text).success, false);
      assert.equal(statusKey.safeParse(text).success, false);
    });

  it('has one spelling as a key, so that no two keys name the same status', () => {
    for (const text of ['007', '-0', '-07']) {
      assert.equal(statusNumber.safeParse(text).success, true);
      assert.equal(statusKey.safeParse(text).success, false);
    }
  });
});
