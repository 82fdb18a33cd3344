/** The encoder of QR codes, compared with the library `qrcode` module by module. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { qrCode, type QrLevel } from '../../../../relay/contract/qr-code.js';
import { sameVersion } from '../../support/same-qr-code.js';

/** The most bytes of each version in byte mode, from the standard's table 7. */
const LARGEST: Record<QrLevel, Readonly<Record<number, number>>> = {
  M: Object.fromEntries(
    [
      14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
      711, 779, 857, 911, 997,
    ].map((bytes, index) => [index + 1, bytes]),
  ),
  L: Object.fromEntries(
    [1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431].map(
      (bytes, index) => [index + 24, bytes],
    ),
  ),
};
/** Bytes that look random and are the same in each run. */
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => ((index + 1) * (length + 7) * 2_654_435_761) >>> 11);

describe('a QR code', () => {
  for (const level of ['M', 'L'] as const)
    it(`has the library’s modules in each version of level ${level}, full and not`, () => {
      for (const [version, length] of Object.entries(LARGEST[level])) {
        assert.equal(sameVersion(bytesOf(length)), `${level}${version}`);
        const next = `${level}${Number(version) + 1}`;
        if (length < 2431) assert.equal(sameVersion(bytesOf(length + 1)), next);
      }
    });

  it('has level M up to 1,000 bytes, and level L with large modules above', () => {
    assert.deepEqual(
      [1000, 1001, 1003].map((length) => sameVersion(bytesOf(length))),
      ['M26', 'L22', 'L22'],
    );
  });

  it('has no version 23 at level L, which a widespread decoder cannot read', () => {
    assert.deepEqual(
      [1004, 1091].map((length) => sameVersion(bytesOf(length))),
      ['L24', 'L24'],
    );
  });

  it('is not made of more bytes than its largest version holds', () => {
    assert.equal(qrCode(bytesOf(2432)), null);
  });

  it('is made of no bytes too', () => assert.equal(sameVersion(new Uint8Array()), 'M1'));
});
