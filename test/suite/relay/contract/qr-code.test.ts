/** The encoder of QR codes, compared with the library `qrcode` module by module. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { qrCode, type QrLevel } from '../../../../relay/contract/qr-code.js';
import { sameVersion } from '../../support/same-qr-code.js';

/** The most bytes of each version in byte mode, from the standard's table 7. */
const LARGEST: Record<QrLevel, readonly number[]> = {
  L: [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858,
    929, 1003, 1091, 1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431,
    2563, 2699, 2809, 2953,
  ],
  M: [
    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
    711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989,
    2099, 2213, 2331,
  ],
};
/** Bytes that look random and are the same in each run. */
const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => ((index + 1) * (length + 7) * 2_654_435_761) >>> 11);

for (const level of ['L', 'M'] as const)
  describe(`a QR code of level ${level}`, () => {
    it('has the library’s modules in each version, when it is full and when it is not', () => {
      for (const [index, length] of LARGEST[level].entries()) {
        assert.equal(sameVersion(bytesOf(length), level), index + 1);
        const more = length + 1;
        if (index < 39) assert.equal(sameVersion(bytesOf(more), level), index + 2);
      }
    });

    it('is not made of more bytes than the largest version holds', () => {
      assert.equal(qrCode(bytesOf((LARGEST[level].at(-1) ?? 0) + 1), level), null);
    });
  });

describe('a QR code', () => {
  it('has at least the version that is asked for', () => {
    assert.deepEqual(
      [1, 24].map((least) => qrCode(bytesOf(5), 'L', least)?.version),
      [1, 24],
    );
  });

  it('is made of no bytes too', () => assert.equal(sameVersion(new Uint8Array(), 'M'), 1));
});
