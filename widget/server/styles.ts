/** The style sheet of content that was rendered on a server. */
import { css } from 'lit';
import { elementStyles } from '../styles/index.js';

const takeOver = css`
  /* The script's own card stays hidden until it has a screen and removes the declared one. */
  .base:has(~ .declared) {
    display: none;
  }
  /* The same definition of a phone as in element/controller-state.ts. */
  .for-phone {
    display: none;
  }
  @media (pointer: coarse) and (max-device-width: 600px),
    (pointer: coarse) and (max-device-height: 600px) {
    .for-desktop {
      display: none;
    }
    .for-phone {
      display: block;
    }
  }
  /*
   * Without a script, and while the relay cannot be asked (element/first-answer.ts), a button does
   * nothing, and a clock that stands still is wrong.
   */
  .kept :is(button:not(.qr-frame), .countdown, .ring) {
    display: none;
  }
  .kept button.qr-frame {
    cursor: auto;
  }
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
