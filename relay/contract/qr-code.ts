/** Encodes bytes as a QR code (ISO/IEC 18004), in byte mode with the levels L and M. Pure. */

export type QrLevel = 'L' | 'M';

export type QrCode = {
  /** Of ISO/IEC 18004: 1 is the smallest. */
  readonly version: number;
  readonly level: QrLevel;
  /** Modules on one side, without the quiet zone. */
  readonly size: number;
  /** The modules row by row; 1 is dark. */
  readonly data: Uint8Array;
};

/** Above this size, error correction drops from M to L, which keeps the modules large. */
const MAX_LEVEL_M_BYTES = 1000;

/**
 * The codewords of error correction in a block, and the number of blocks, of each version from
 * `first` on. No payload needs the others.
 */
const VERSIONS: Record<
  QrLevel,
  { first: number; corrections: readonly number[]; counts: readonly number[] }
> = {
  L: {
    first: 22,
    corrections: [28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
    counts: [9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20],
  },
  M: {
    first: 1,
    corrections: [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
      28, 28, 28,
    ],
    counts: [
      1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
    ],
  },
};

/**
 * A widespread decoder cannot read this version at level L because of an error in its table; the
 * next larger version is used instead.
 */
const UNREADABLE_AT_L = 23;

/** The level as the format information names it. */
const LEVEL_BITS: Record<QrLevel, number> = { L: 1, M: 0 };

/** @returns null when there are more than 2,431 bytes */
export function qrCode(bytes: Uint8Array): QrCode | null {
  const level = bytes.length > MAX_LEVEL_M_BYTES ? 'L' : 'M';
  const { corrections, counts, first } = VERSIONS[level];
  for (const [index, blocks] of counts.entries()) {
    const version = first + index;
    const layout = layoutOf(version, blocks, corrections[index] ?? 0);
    const countBits = version < 10 ? 8 : 16;
    const fits = 4 + countBits + 8 * bytes.length <= 8 * layout.dataBytes;
    if (fits && !(level === 'L' && version === UNREADABLE_AT_L))
      return draw(version, level, interleaved(padded(bytes, countBits, layout.dataBytes), layout));
  }
  return null;
}

type Layout = { blocks: number; correction: number; dataBytes: number };

function layoutOf(version: number, blocks: number, correction: number): Layout {
  const alignments = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const ofAlignments = version < 2 ? 0 : (25 * alignments - 10) * alignments - 55;
  const ofVersion = version < 7 ? 0 : 36;
  const bits = (16 * version + 128) * version + 64 - ofAlignments - ofVersion;
  return { blocks, correction, dataBytes: Math.floor(bits / 8) - blocks * correction };
}

/** The data codewords: mode, count, bytes, and the padding. */
function padded(bytes: Uint8Array, countBits: number, length: number): Uint8Array {
  const data = new Uint8Array(length);
  // the mode 0100 and the count shift everything by half a byte
  const header = countBits === 8 ? [bytes.length] : [bytes.length >> 8, bytes.length & 255];
  const all = [4, ...header, ...bytes];
  for (let at = 0; at < all.length; at++)
    data[at] = ((all[at] ?? 0) << 4) | ((all[at + 1] ?? 0) >> 4);
  for (let at = all.length, pad = 236; at < length; at++, pad ^= 236 ^ 17) data[at] = pad;
  return data;
}

/** Adds the error correction of each block; a later block may have one byte more. */
function interleaved(
  data: Uint8Array,
  { blocks, correction, dataBytes }: Layout,
): readonly number[] {
  const divisor = divisorOf(correction);
  const short = Math.floor(dataBytes / blocks);
  const firstLong = blocks - (dataBytes % blocks);
  const parts = Array.from({ length: blocks }, (_, index) => {
    const from = index * short + Math.max(0, index - firstLong);
    const block = data.subarray(from, from + short + Number(index >= firstLong));
    return { block, rest: remainder(block, divisor) };
  });
  const result: number[] = [];
  for (let at = 0; at <= short; at++)
    for (const { block } of parts) if (at < block.length) result.push(block[at] ?? 0);
  for (let at = 0; at < correction; at++) for (const { rest } of parts) result.push(rest[at] ?? 0);
  return result;
}

/** Multiplies in the field of 256 elements with the polynomial 0x11d. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** The coefficients of the Reed-Solomon generator, without the leading one. */
function divisorOf(degree: number): Uint8Array {
  const result = new Uint8Array(degree);
  result[degree - 1] = 1;
  for (let round = 0, root = 1; round < degree; round++, root = multiply(root, 2))
    for (let at = 0; at < degree; at++)
      result[at] = multiply(result[at] ?? 0, root) ^ (result[at + 1] ?? 0);
  return result;
}

function remainder(block: Uint8Array, divisor: Uint8Array): Uint8Array {
  const result = new Uint8Array(divisor.length);
  for (const byte of block) {
    const factor = byte ^ (result[0] ?? 0);
    result.copyWithin(0, 1);
    result[result.length - 1] = 0;
    for (let at = 0; at < divisor.length; at++)
      result[at] = (result[at] ?? 0) ^ multiply(divisor[at] ?? 0, factor);
  }
  return result;
}

/** Whether a mask inverts the module, by row and column. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => ((row >> 1) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row * column) % 3) + ((row + column) % 2)) % 2 === 0,
];

/** Draws the code with the mask that is easiest to read. */
function draw(version: number, level: QrLevel, codewords: readonly number[]): QrCode {
  const size = 17 + 4 * version;
  const data = new Uint8Array(size * size);
  /** The modules that carry no data. */
  const fixed = new Uint8Array(size * size);
  const set = (row: number, column: number, dark: number): void => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    data[row * size + column] = dark;
    fixed[row * size + column] = 1;
  };
  drawPatterns(version, size, set);
  drawFormat(level, 0, size, set);
  let bit = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2)
    for (let step = 0; step < size; step++) {
      const row = (right + 1) & 2 ? step : size - 1 - step;
      for (const at of [row * size + right, row * size + right - 1])
        if (!fixed[at]) {
          data[at] = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
          bit++;
        }
    }
  const mask = (index: number): void => {
    for (let at = 0; at < data.length; at++)
      if (!fixed[at] && MASKS[index]?.(Math.floor(at / size), at % size))
        data[at] = (data[at] ?? 0) ^ 1;
  };
  let best = 0;
  let least = Infinity;
  for (const index of MASKS.keys()) {
    drawFormat(level, index, size, set);
    mask(index);
    const points = penalty(data, size);
    mask(index);
    if (points < least) [best, least] = [index, points];
  }
  drawFormat(level, best, size, set);
  mask(best);
  return { version, level, size, data };
}

type SetModule = (row: number, column: number, dark: number) => void;

function drawPatterns(version: number, size: number, set: SetModule): void {
  for (let at = 0; at < size; at++) {
    set(6, at, (at + 1) % 2);
    set(at, 6, (at + 1) % 2);
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, set);
  const count = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const gap = version === 32 ? 26 : Math.ceil((size - 13) / (2 * count - 2)) * 2;
  const places = Array.from({ length: count }, (_, index) =>
    index === count - 1 ? 6 : size - 7 - index * gap,
  );
  for (const row of places)
    for (const column of places) {
      const isInFinder = [row, column].every((at) => at === 6 || at === size - 7);
      if (!isInFinder || (row === size - 7 && column === size - 7)) square(row, column, 2, set);
    }
  if (version < 7) return;
  const bits = (version << 12) | checksum(version, 12, 0x1f25);
  for (let at = 0; at < 18; at++) {
    const [row, column] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(row, column, (bits >> at) & 1);
    set(column, row, (bits >> at) & 1);
  }
}

/** Squares inside each other around a module; the ring at distance 4 is the light border. */
function square(row: number, column: number, radius: number, set: SetModule): void {
  for (let down = -radius; down <= radius; down++)
    for (let right = -radius; right <= radius; right++) {
      const ring = Math.max(Math.abs(down), Math.abs(right));
      const isLight = radius === 2 ? ring === 1 : ring === 2 || ring === 4;
      set(row + down, column + right, Number(!isLight));
    }
}

/** The places of the format beside the first corner; the line of the timing pattern is left out. */
const BESIDE_CORNER = [0, 1, 2, 3, 4, 5, 7, 8];

function drawFormat(level: QrLevel, mask: number, size: number, set: SetModule): void {
  const format = (LEVEL_BITS[level] << 3) | mask;
  const bits = ((format << 10) | checksum(format, 10, 0x537)) ^ 0x5412;
  for (let at = 0; at < 15; at++) {
    const dark = (bits >> at) & 1;
    set(BESIDE_CORNER[at] ?? size - 15 + at, 8, dark);
    set(8, at < 8 ? size - 1 - at : (BESIDE_CORNER[14 - at] ?? 0), dark);
  }
  set(size - 8, 8, 1);
}

/** The remainder of the value, as a polynomial, after a division. */
function checksum(value: number, degree: number, divisor: number): number {
  let rest = value;
  for (let step = 0; step < degree; step++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * divisor);
  return rest;
}

/** Points for what makes a code hard to read; the mask with the fewest points is used. */
function penalty(data: Uint8Array, size: number): number {
  let points = 0;
  let dark = 0;
  const at = (row: number, column: number): number => data[row * size + column] ?? 0;
  for (let line = 0; line < size; line++) {
    points += ofLine(size, (place) => at(line, place)) + ofLine(size, (place) => at(place, line));
    for (let column = 0; column < size; column++) {
      dark += at(line, column);
      if (line + 1 === size || column + 1 === size) continue;
      const sum =
        at(line, column) + at(line, column + 1) + at(line + 1, column) + at(line + 1, column + 1);
      if (sum % 4 === 0) points += 3;
    }
  }
  return points + 10 * Math.abs(Math.ceil((dark * 20) / data.length) - 10);
}

/** Points for long runs, and for what looks like the pattern of a corner. */
function ofLine(size: number, at: (place: number) => number): number {
  let points = 0;
  let run = 0;
  let last = -1;
  let bits = 0;
  for (let place = 0; place < size; place++) {
    const dark = at(place);
    run = dark === last ? run + 1 : 1;
    if (run === 5) points += 3;
    if (run > 5) points++;
    last = dark;
    bits = ((bits << 1) | dark) & 0x7ff;
    if (place >= 10 && (bits === 0x5d0 || bits === 0x5d)) points += 40;
  }
  return points;
}
