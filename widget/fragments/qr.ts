/** A QR code as SVG: always dark on light, with a quiet zone of 4 modules, whatever the theme. */
import { html, svg, type TemplateResult } from 'lit';
import { create } from 'qrcode/lib/core/qrcode.js';

const QUIET = 4;
/** Bytes above which error correction drops from M to L, to keep modules large. */
const DENSE = 1000;

/** @returns null when the text is too long for a QR code */
export function qrCode(text: string, description: string): TemplateResult | null {
  const drawn = draw(text);
  if (!drawn) return null;
  const { size, path } = drawn;
  return html`<svg part="qr" class="qr" role="img" aria-label=${description} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
    ${svg`<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d=${path} />`}
  </svg>`;
}

let last: { text: string; drawn: ReturnType<typeof encode> } | null = null;

/** The code on screen is drawn once, however often the view renders. */
function draw(text: string): ReturnType<typeof encode> {
  if (last?.text !== text) last = { text, drawn: encode(text) };
  return last.drawn;
}

function encode(text: string): { size: number; path: string } | null {
  try {
    const bytes = new TextEncoder().encode(text);
    const level = bytes.length > DENSE ? 'L' : 'M';
    const { modules } = create([{ data: bytes, mode: 'byte' }], { errorCorrectionLevel: level });
    return { size: modules.size + 2 * QUIET, path: toPath(modules) };
  } catch {
    return null;
  }
}

function toPath({ size, data }: { size: number; data: ArrayLike<number> }): string {
  let path = '';
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const from = column;
      while (column < size && data[row * size + column]) column++;
      if (column > from) path += `M${from + QUIET} ${row + QUIET}h${column - from}v1H${from + QUIET}z`;
    }
  return path;
}
