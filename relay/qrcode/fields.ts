/** The top-level fields of an EMVCo code: two digits of id, two of length, and the value. */

/** Id and value, in the order of the code. */
export type Field = readonly [id: string, value: string];

/** The fields that were read, and whether they reach the end of the code. */
export type FieldsRead = { readonly fields: readonly Field[]; readonly isWhole: boolean };

/** A code in the units that its lengths count. `slice` gives null where it cuts a character. */
type Units = { length: number; slice: (from: number, to: number) => string | null };

/**
 * Reads a code in each unit that generators count lengths in: UTF-16 units, characters and UTF-8
 * bytes. A reading that breaks off has the fields before the break: a banking app may take them.
 */
export function readFields(code: string): FieldsRead[] {
  const inUnits = ofText(code);
  // an ASCII code has the same lengths in all three units
  const units = /[^\0-\x7f]/.test(code) ? [inUnits, ofCharacters(code), ofBytes(code)] : [inUnits];
  return units.map(readIn);
}

const ofText = (code: string): Units => ({
  length: code.length,
  slice: (from, to) => code.slice(from, to),
});

function ofCharacters(code: string): Units {
  const characters = Array.from(code);
  return {
    length: characters.length,
    slice: (from, to) => characters.slice(from, to).join(''),
  };
}

function ofBytes(code: string): Units {
  const bytes = new TextEncoder().encode(code);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return {
    length: bytes.length,
    slice: (from, to) => {
      try {
        return decoder.decode(bytes.subarray(from, to));
      } catch {
        return null;
      }
    },
  };
}

function readIn({ length, slice }: Units): FieldsRead {
  const fields: Field[] = [];
  let at = 0;
  while (at < length) {
    const [head, id = '', size = ''] = /^(\d\d)(\d\d)$/.exec(slice(at, at + 4) ?? '') ?? [];
    const end = at + 4 + Number(size);
    const value = head === undefined || end > length ? null : slice(at + 4, end);
    if (value === null) return { fields, isWhole: false };
    fields.push([id, value]);
    at = end;
  }
  return { fields, isWhole: true };
}
