/** The second script: every screen and tool that is not needed to show the first QR code. */
import { openPopup, openTarget } from '../browser/opener.js';
import type { Screen } from '../fragments/screen.js';
import type { Later, LaterState, ViewContext } from '../fragments/view-context.js';
import { nextActionScreen } from '../next-actions/index.js';
import { laterStyles } from '../styles/later.js';
import { overlayStyles } from '../styles/overlays.js';
import { enLater } from '../texts/en-later.js';
import { copy } from './copy.js';
import { depositAddress } from './deposit.js';
import { enlargeable } from './enlargeable.js';
import { closed, expired, failed, succeeded } from './ends.js';
import { keepInSight } from './keep-in-sight.js';
import { noOptions } from './no-options.js';
import { paymentPageOf } from './payment-page.js';
import { problemScreen } from './problem.js';
import { savePicture } from './qr-file.js';
import { lockScroll } from './scroll-lock.js';
import { search } from './search.js';
import { codeAsText, codeTools, tools } from './tools.js';
import { confirming, unclear } from './unclear.js';

function screen(view: ViewContext, state: LaterState): Screen {
  switch (state.phase) {
    case 'choosing':
      return noOptions(view, state);
    case 'awaiting_payment':
      return nextActionScreen(view, state.order);
    case 'confirming':
      return confirming(view, state);
    case 'succeeded':
      return succeeded(view, state);
    case 'failed':
      return failed(view, state);
    case 'expired':
      return expired(view, state);
    case 'unmapped':
    case 'review':
      return unclear(view, state);
    case 'closed':
      return closed(view, state);
    case 'showing_deposit_address':
      return depositAddress(view, state);
    case 'problem':
      return problemScreen(view, state.problem, state.offer);
  }
}

function enter(root: ShadowRoot): void {
  const sheets = [overlayStyles, laterStyles].flatMap(({ styleSheet }) => styleSheet ?? []);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
  keepInSight(root);
}

export const later: Later = {
  screen,
  tools,
  codeTools,
  codeAsText,
  enlargeable,
  copy,
  search,
  lockScroll,
  enter,
  savePicture,
  openTarget,
  openPopup,
  paymentPageOf,
  texts: enLater,
};
