/** A large QR code that a tap enlarges, with the time to pay drawn around it. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { closeDialog } from './bar.js';
import { secondsLeft } from './countdown.js';
import { isolated } from './names.js';
import { crispWidth, picture } from './qr.js';
import type { EventOn, ViewContext } from './view-context.js';

/** Width of the code without its quiet zone: as in a window of full height, and at least. */
const CODE_PX = 280;
const MIN_CODE_PX = 200;
/** Height of the card without the code and its quiet zone, with the modal around it. */
const AROUND_CODE_PX = 480;
/** Share of the window's width that an enlarged code may take on a desktop. */
const MAX_WIDTH_SHARE = 0.96;
/**
 * Moves the start of the line from the top left corner to the top centre: half of one side is an
 * eighth of the outline, whose length is 100.
 */
const TO_TOP_CENTRE = -12.5;
/** Height of what stands below and around an enlarged code. */
const BELOW_CODE_PX = 116;

/**
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
  const { draw, maxQrPx, money, offer, t } = view;
  const drawn = draw(text);
  if (!drawn) return null;
  const share = view.onPhone ? 1 : MAX_WIDTH_SHARE;
  const maxPx = Math.min(share * innerWidth, innerHeight - BELOW_CODE_PX);
  // A phone has so many pixels that modules of slightly different widths can be scanned as well.
  const large = view.onPhone ? maxPx : crispWidth(drawn, maxPx, maxPx);
  const codePx = Math.max(MIN_CODE_PX, Math.min(CODE_PX, innerHeight - AROUND_CODE_PX));
  const width = crispWidth(drawn, codePx, maxQrPx);
  const open = ({ currentTarget }: EventOn<HTMLElement>): void =>
    currentTarget.closest('.qr-box')?.querySelector('dialog')?.showModal();
  return html`<div class="qr-box">
    <button
      part=${part}
      type="button"
      class="qr-frame"
      data-action="enlarge"
      aria-label="${description}. ${t('enlarge')}"
      @click=${open}
    >
      ${picture(drawn, description, width)}${ring(view, order)}
    </button>
    <dialog class="large" aria-label=${description}>
      ${picture(drawn, description, Math.max(width, large))}
      <div>
        <p class="shop">
          <span>${money(order.amount, order.currency)} · ${isolated(offer?.shop_name ?? '')}</span>
        </p>
        <button type="button" class="quiet" @click=${closeDialog}>${t('close')}</button>
      </div>
    </dialog>
  </div>`;
}

/** The share of the time to pay that is left, drawn as a line around the code. */
function ring({ now }: ViewContext, order: Order): TemplateResult | null {
  const left = secondsLeft(order, now);
  if (left === null || order.expires_at === undefined) return null;
  const total = (Date.parse(order.expires_at) - Date.parse(order.created_at)) / 1000;
  const share = Math.min(100, Math.round((100 * left) / Math.max(1, total)));
  return html`<svg class="ring" aria-hidden="true">
    <rect x="2" y="2" />
    <rect
      x="2"
      y="2"
      pathLength="100"
      stroke-dasharray="${share} ${100 - share}"
      stroke-dashoffset=${TO_TOP_CENTRE}
    />
  </svg>`;
}
