/** The style sheet of content that was rendered on a server. */
import { css } from 'lit';
import { cardStyles } from '../styles/card.js';
import { controlStyles } from '../styles/controls.js';
import { laterStyles } from '../styles/later.js';
import { overlayStyles } from '../styles/overlays.js';
import { paymentStyles } from '../styles/payment.js';
import { stateStyles } from '../styles/states.js';

const takeOver = css`
  /* The script's own card stays hidden until it has a screen and removes the declared one. */
  .base:has(~ .declared) {
    display: none;
  }
  /* The same definition of a phone as in element/controller-state.ts. */
  @media (pointer: coarse) and (width <= 600px) {
    .for-desktop {
      display: none;
    }
  }
  @media not ((pointer: coarse) and (width <= 600px)) {
    .for-phone {
      display: none;
    }
  }
  /* Without a script a button does nothing, and a clock that stands still is wrong. */
  @media (scripting: none) {
    button:not(.qr-frame),
    .countdown,
    .ring {
      display: none;
    }
    button.qr-frame {
      cursor: auto;
    }
  }
`;

export const styles = [
  cardStyles,
  controlStyles,
  paymentStyles,
  stateStyles,
  overlayStyles,
  laterStyles,
  takeOver,
]
  .map(({ cssText }) => cssText)
  .join('\n');
