/** QR codes as SVG, dark on light in every theme: many scanners cannot read inverted codes. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { button } from './actions.js';
import { secondsLeft } from './countdown.js';
import type { Drawing } from './qr-drawing.js';
import type { EventOn, ViewContext } from './view-context.js';

/** Widths of the code without its quiet zone. */
const CODE_PX = 280;
const SMALL_CODE_PX = 160;
/** Share of the window's width that an enlarged code may take. */
const MAX_WIDTH_SHARE = 0.96;
/** Height of the close button below an enlarged code, with its margins. */
const CLOSE_BUTTON_PX = 116;

/**
 * Modules of different widths are hard to scan, so each is a whole number of device pixels.
 *
 * @param codePx wanted width of the code without its quiet zone
 * @param maxPx largest width with the quiet zone
 * @returns the width with the quiet zone
 */
function crispWidth({ modules, size }: Drawing, codePx: number, maxPx: number): number {
  const wanted = Math.ceil((codePx * devicePixelRatio) / modules);
  const largest = Math.floor((maxPx * devicePixelRatio) / size);
  const devicePixels = Math.min(wanted, largest);
  return devicePixels > 0 ? (devicePixels * size) / devicePixelRatio : maxPx;
}

const picture = ({ path, size }: Drawing, description: string, width: number): TemplateResult =>
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
  return html`<div part=${part} class="qr-frame">${picture(drawn, description, width)}</div>`;
}

/**
 * A large QR code that a tap enlarges.
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
  const { draw, maxQrPx, t } = view;
  const drawn = draw(text);
  if (!drawn) return null;
  const maxPx = Math.min(MAX_WIDTH_SHARE * innerWidth, innerHeight - CLOSE_BUTTON_PX);
  const dialogOf = (event: EventOn<HTMLElement>): HTMLDialogElement | null =>
    event.currentTarget.closest('.qr-box')?.querySelector('dialog') ?? null;
  return html`<div class="qr-box">
    <button
      part=${part}
      type="button"
      class="qr-frame"
      data-action="enlarge"
      aria-label="${description}. ${t('enlarge')}"
      @click=${(event: EventOn<HTMLElement>) => dialogOf(event)?.showModal()}
    >
      ${picture(drawn, description, crispWidth(drawn, CODE_PX, maxQrPx))}${ring(view, order)}
    </button>
    <dialog class="large" aria-label=${description}>
      ${picture(drawn, description, crispWidth(drawn, maxPx, maxPx))}
      <button
        type="button"
        class="quiet"
        @click=${(event: EventOn<HTMLElement>) => dialogOf(event)?.close()}
      >
        ${t('close')}
      </button>
    </dialog>
  </div>`;
}

/** The share of the time to pay that is left, drawn as a line around the code. */
function ring({ now }: ViewContext, order: Order): TemplateResult | typeof nothing {
  const left = secondsLeft(order, now);
  if (left === null || order.expires_at === undefined) return nothing;
  const total = (Date.parse(order.expires_at) - Date.parse(order.created_at)) / 1000;
  const share = Math.min(100, Math.round((100 * left) / Math.max(1, total)));
  return html`<svg class="ring" viewBox="0 0 100 100" aria-hidden="true">
    <rect
      x=".5"
      y=".5"
      width="99"
      height="99"
      rx="2"
      pathLength="100"
      stroke-dasharray="${share} 100"
    />
  </svg>`;
}

/** Saves the code as a picture on the customer's device. */
export const saveButton = (
  { actions, draw, t }: ViewContext,
  text: string,
  look: string,
): TemplateResult | null => {
  const drawn = draw(text);
  return drawn && button('save', t('save_code'), () => actions.savePicture(drawn), look);
};
