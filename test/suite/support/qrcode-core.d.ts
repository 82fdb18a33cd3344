/** Types of the QR library's encoder, which the tests compare with. */
declare module 'qrcode/lib/core/qrcode.js' {
  export function create(
    data: readonly { data: Uint8Array; mode: 'byte' }[],
    options: { errorCorrectionLevel: 'L' | 'M'; version?: number },
  ): { modules: { size: number; data: Uint8Array }; version: number };
}
