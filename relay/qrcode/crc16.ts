/**
 * CRC-16 with the polynomial 0x1021. With the initial value 0 it is the XMODEM variant, for Stellar
 * addresses. With 0xffff it is the CCITT-FALSE variant, for EMVCo codes. This is our own code,
 * because a package would be a further dependency of the relay for ten lines.
 */
export function crc16(bytes: Uint8Array, initial: 0 | 0xffff): number {
  let crc: number = initial;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

/** The last four digits of an EMVCo code cover everything before them. */
export function hasRightChecksum(code: string): boolean {
  const covered = new TextEncoder().encode(code.slice(0, -4));
  const digits = crc16(covered, 0xffff).toString(16).padStart(4, '0');
  return code.slice(-4).toLowerCase() === digits;
}
