/** Stands in for the QR library's segments: one segment of bytes, without a search for modes. */
import ByteData from 'qrcode/lib/core/byte-data.js';

export const fromArray = (segments: readonly { data: Uint8Array }[]): ByteData[] =>
  segments.map(({ data }) => new ByteData(data));
