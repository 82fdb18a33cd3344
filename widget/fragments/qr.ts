/** QR codes as SVG, dark on light in every theme: many scanners cannot read inverted codes. */
import { html, type TemplateResult } from 'lit';
import { button } from './actions.js';
import type { Drawing } from './qr-drawing.js';
import { savePicture } from './qr-file.js';
import type { ViewContext } from './view-context.js';

/** Width of the code without its quiet zone. */
const SMALL_CODE_PX = 160;

/**
 * Modules of different widths are hard to scan, so each is a whole number of device pixels.
 *
 * @param codePx wanted width of the code without its quiet zone
 * @param maxPx largest width with the quiet zone
 * @returns the width with the quiet zone
 */
export function crispWidth({ modules, size }: Drawing, codePx: number, maxPx: number): number {
  const wanted = Math.ceil((codePx * devicePixelRatio) / modules);
  const largest = Math.floor((maxPx * devicePixelRatio) / size);
  const devicePixels = Math.min(wanted, largest);
  return devicePixels > 0 ? (devicePixels * size) / devicePixelRatio : maxPx;
}

/**
 * Browsers and extensions that darken a page rewrite its colours, but not the colours of a filter:
 * it paints the ground white and the modules black. Where a filter is not drawn, the frame is white
 * and the path below is black.
 */
export const picture = (
  { path, size }: Drawing,
  description: string,
  width: number,
): TemplateResult =>
  html`<svg
    class="qr"
    role="img"
    aria-label=${description}
    width=${width}
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <filter id="light${width}"><feFlood flood-color="#fff" /></filter>
    <filter id="dark${width}"><feOffset in="SourceAlpha" /></filter>
    <path fill="#fff" filter="url(#light${width})" d="M0 0h${size}v${size}H0z" />
    <path d=${path} />
    <path d=${path} filter="url(#dark${width})" />
  </svg>`;

/**
 * A small QR code.
 *
 * @returns null when the text is too long for a QR code
 */
export function smallQr(
  { draw, maxQrPx }: ViewContext,
  text: string,
  description: string,
  part = 'qr',
): TemplateResult | null {
  const drawn = draw(text);
  if (!drawn) return null;
  const width = crispWidth(drawn, SMALL_CODE_PX, maxQrPx);
  return html`<div part=${part} class="qr-frame">${picture(drawn, description, width)}</div>`;
}

/** Saves the code as a picture on the customer's device. */
export const saveButton = (
  { draw, t }: ViewContext,
  text: string,
  look: string,
): TemplateResult | null => {
  const drawn = draw(text);
  return drawn && button('save', t('save_code'), () => void savePicture(drawn), look);
};
