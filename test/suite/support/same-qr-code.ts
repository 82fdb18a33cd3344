/** Compares a QR code with the one that the library `qrcode` makes. */
import { create } from 'qrcode/lib/core/qrcode.js';
import { qrCode, type QrLevel } from '../../../relay/contract/qr-code.js';

/** @returns the code's version; null when a module differs from the library's code */
export function sameVersion(bytes: Uint8Array, level: QrLevel): number | null {
  const ours = qrCode(bytes, level);
  const { modules, version } = create([{ data: bytes, mode: 'byte' }], {
    errorCorrectionLevel: level,
  });
  if (ours?.version !== version || ours.size !== modules.size) return null;
  return ours.data.every((dark, at) => dark === Number(modules.data[at])) ? version : null;
}
