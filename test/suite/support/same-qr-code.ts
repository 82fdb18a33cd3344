/** Compares a QR code with the one that the library `qrcode` makes. */
import { create } from 'qrcode/lib/core/qrcode.js';
import { qrCode } from '../../../relay/contract/qr-code.js';

/** @returns the code's level and version, "M7"; null when a module differs from the library's */
export function sameVersion(bytes: Uint8Array): string | null {
  const ours = qrCode(bytes);
  if (!ours) return null;
  const { data, level, size, version } = ours;
  // the library would choose version 23, which ours leaves out
  const chosen = level === 'L' && version === 24 ? { version } : {};
  const theirs = create([{ data: bytes, mode: 'byte' }], {
    errorCorrectionLevel: level,
    ...chosen,
  });
  if (version !== theirs.version || size !== theirs.modules.size) return null;
  return data.every((dark, at) => dark === Number(theirs.modules.data[at]))
    ? `${level}${version}`
    : null;
}
