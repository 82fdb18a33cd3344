/** Encodes texts as QR codes, and caches the drawings. */
import { qrCode, type QrCode } from '../../relay/contract/qr-code.js';

const QUIET_ZONE_MODULES = 4;
/** Above this size, phone cameras cannot read the modules; the text is shown instead. */
const MAX_QR_BYTES = 2400;
const MAX_CACHED_DRAWINGS = 9;

export type Drawing = {
  /** Modules on one side, without the quiet zone. */
  readonly modules: number;
  /** Modules on one side, with the quiet zone. */
  readonly size: number;
  /** The dark modules as SVG path data. */
  readonly path: string;
};

const drawings = new Map<string, Drawing | null>();

/**
 * Caches the drawings: the countdown renders the view every second.
 *
 * @returns null when the text is too long for a QR code
 */
export function draw(text: string): Drawing | null {
  const known = drawings.get(text);
  if (known !== undefined) return known;
  if (drawings.size >= MAX_CACHED_DRAWINGS) drawings.clear();
  const drawn = encode(text);
  drawings.set(text, drawn);
  return drawn;
}

function encode(text: string): Drawing | null {
  const bytes = new TextEncoder().encode(text);
  const code = bytes.length > MAX_QR_BYTES ? null : qrCode(bytes);
  return (
    code && {
      modules: code.size,
      size: code.size + 2 * QUIET_ZONE_MODULES,
      path: toPath(code),
    }
  );
}

function toPath({ size, data }: QrCode): string {
  let path = '';
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const from = column;
      while (column < size && data[row * size + column]) column++;
      const left = from + QUIET_ZONE_MODULES;
      const top = row + QUIET_ZONE_MODULES;
      if (column > from) path += `M${left} ${top}h${column - from}v1H${left}z`;
    }
  return path;
}
