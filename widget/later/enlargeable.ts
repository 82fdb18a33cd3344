/** A large QR code that a tap enlarges, with the time to pay drawn around it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { secondsLeft } from '../fragments/countdown.js';
import { crispWidth, largePicture, picture } from '../fragments/qr.js';
import type { CodeOnScreen, EventOn, ViewContext } from '../fragments/view-context.js';

/** Share of the window's width that an enlarged code may take. */
const MAX_WIDTH_SHARE = 0.96;
/** Height of the close button below an enlarged code, with its margins. */
const CLOSE_BUTTON_PX = 116;

export function enlargeable(
  view: ViewContext,
  { description, drawn, order, part }: CodeOnScreen,
): TemplateResult {
  const { t } = view;
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
      ${largePicture(view, drawn, description)}${ring(view, order)}
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
