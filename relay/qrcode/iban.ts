/** Account numbers of ISO 13616, whose digits 3 and 4 are a checksum. */

/** @returns the number without spaces; null when it is none, or its checksum is wrong */
export function readIban(text: string): string | null {
  const iban = text.replaceAll(' ', '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null;
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1 ? iban : null;
}
