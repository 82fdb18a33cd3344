/** Stands in for the QR library's modes: the element encodes bytes only. */
type Mode = { readonly bit: number; readonly ccBits: readonly [number, number, number] };

/** Bits of the mode, and of the count of characters in versions up to 9, 26 and 40. */
export const BYTE: Mode = { bit: 4, ccBits: [8, 16, 16] };

export function getCharCountIndicator({ ccBits }: Mode, version: number): number {
  if (version < 10) return ccBits[0];
  return version < 27 ? ccBits[1] : ccBits[2];
}
