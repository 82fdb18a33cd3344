/** Digests equal those of Node for every key and text. */
import assert from 'node:assert/strict';
import crypto, { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { areEqual, nodeDigests, portableDigests } from '../../../relay/digest.js';

const TEXTS = ['', 'order:abc', 'Ж'.repeat(100), 'x'.repeat(64)];

const implementations = { portableDigests, nodeDigests: nodeDigests(crypto) };

for (const [name, { macWith, sha256Of }] of Object.entries(implementations))
  describe(name, () => {
    it('makes the HMAC that Node makes, also with a key longer than a block', () => {
      for (const key of ['k', 'ключ', 'k'.repeat(64), 'k'.repeat(200)]) {
        const mac = macWith(key);
        for (const text of TEXTS)
          assert.deepEqual(Buffer.from(mac(text)), createHmac('sha256', key).update(text).digest());
      }
      const bytes = Uint8Array.of(0, 255, 7);
      const expected = createHmac('sha256', bytes).update('a').digest();
      assert.deepEqual(Buffer.from(macWith(bytes)('a')), expected);
    });

    it('makes the SHA-256 that Node makes', () => {
      for (const text of TEXTS)
        assert.deepEqual(Buffer.from(sha256Of(text)), createHash('sha256').update(text).digest());
    });

    it('returns bytes that share no memory with other bytes', () => {
      assert.equal(macWith('k')('a').buffer.byteLength, 32);
    });
  });

describe('areEqual', () => {
  it('returns true only when the values and the lengths are equal', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    assert.equal(areEqual(bytes, Uint8Array.of(1, 2, 3)), true);
    for (const other of [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []])
      assert.equal(areEqual(bytes, Uint8Array.from(other)), false);
  });
});
