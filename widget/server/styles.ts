/** The style sheet of content that was rendered on a server. */
import { css } from 'lit';
import { elementStyles } from '../styles/index.js';

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

export const styles = [...elementStyles, takeOver].map(({ cssText }) => cssText).join('\n');
