/** Types of the QR library's encoder; its renderers are not used. */
declare module 'qrcode/lib/core/qrcode.js' {
  export function create(
    data: string | readonly { data: Uint8Array; mode: 'byte' }[],
    options?: { errorCorrectionLevel?: 'L' | 'M' | 'Q' | 'H'; version?: number },
  ): { modules: { size: number; data: Uint8Array }; version: number };
}
