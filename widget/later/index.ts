/** The second script: all that a customer sees after the first code, or in place of a code. */
import type { Screen } from '../fragments/screen.js';
import type { Later, LaterState, ViewContext } from '../fragments/view-context.js';
import { nextActionScreen } from '../next-actions/index.js';
import { laterStyles } from '../styles/later.js';
import { enLater } from '../texts/en-later.js';
import { depositAddress } from './deposit.js';
import { closed, expired, failed, succeeded } from './ends.js';
import { problemScreen } from './problem.js';
import { savePicture } from './qr-file.js';
import { tools } from './tools.js';
import { confirming, unclear } from './unclear.js';

function screen(view: ViewContext, state: LaterState): Screen {
  switch (state.phase) {
    case 'awaiting_payment':
      return nextActionScreen(view, state.order);
    case 'confirming':
      return confirming(view, state);
    case 'succeeded':
      return succeeded(view, state);
    case 'failed':
      return failed(view, state);
    case 'expired':
      return expired(view, state.order);
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

export const later: Later = {
  screen,
  tools,
  savePicture,
  texts: enLater,
  styles: laterStyles,
};
