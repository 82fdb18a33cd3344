/** QR codes as SVG, dark on light in every theme: many scanners cannot read inverted codes. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { button } from './actions.js';
import { laterOf } from './later.js';
import type { Drawing } from './qr-drawing.js';
import type { ViewContext } from './view-context.js';

/** Widths of the code without its quiet zone. */
const CODE_PX = 280;
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
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d=${path} />
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
  return framed(part, picture(drawn, description, width));
}

/**
 * A large QR code, which a tap enlarges once the second script is here.
 *
 * @param order its time to pay is drawn around the code
 * @returns null when the text is too long for a QR code
 */
export function largeQr(
  view: ViewContext,
  text: string,
  description: string,
  order: Order,
  part = 'qr',
): TemplateResult | null {
  const drawn = view.draw(text);
  if (!drawn) return null;
  return (
    laterOf(view.later)?.enlargeable(view, { drawn, description, order, part }) ??
    framed(part, largePicture(view, drawn, description))
  );
}

export const largePicture = (
  { maxQrPx }: ViewContext,
  drawn: Drawing,
  description: string,
): TemplateResult => picture(drawn, description, crispWidth(drawn, CODE_PX, maxQrPx));

const framed = (part: string, content: TemplateResult): TemplateResult =>
  html`<div part=${part} class="qr-frame">${content}</div>`;

/** Saves the code as a picture on the customer's device. */
export const saveButton = (
  { actions, draw, t }: ViewContext,
  text: string,
  look: string,
): TemplateResult | null => {
  const drawn = draw(text);
  return drawn && button('save', t('save_code'), () => actions.savePicture(drawn), look);
};
