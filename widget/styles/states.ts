/** The skeleton, final states, motion, forced colours, paper, and the live regions. */
import { css } from 'lit';

export const stateStyles = css`
  .skeleton i {
    display: block;
    block-size: 52px;
    margin-block-end: 1px;
    border-radius: var(--_inner);
    background: var(--_tint);
  }
  .skeleton .tall {
    inline-size: 50%;
    block-size: 96px;
    margin: 0 auto 48px;
  }
  .skeleton .square {
    inline-size: 280px;
    max-inline-size: 100%;
    block-size: auto;
    aspect-ratio: 1;
    margin: 8px auto 16px;
  }
  .problem .hint {
    color: inherit;
  }
  .paid .note {
    border-color: var(--_good);
  }
  .paid h2 .sign + * {
    font-size: calc(1.5 * var(--_size));
  }
  .paid {
    container-type: inline-size;
  }
  .printed {
    display: none;
  }
  .sign {
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    color: var(--_note);
    fill: none;
    stroke: currentcolor;
    stroke-width: 4;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-dasharray: 100;
  }
  .sign.good {
    color: var(--_good);
  }
  .sign.bad {
    color: var(--_danger);
  }
  .paid .sign {
    inline-size: 56px;
    block-size: 56px;
    stroke-width: 3;
  }
  .note .sign {
    inline-size: 24px;
    block-size: 24px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton i,
    .pulse {
      animation: breathe 1.2s ease-in-out infinite alternate;
    }
    h2 .sign * {
      animation: draw 0.2s ease-out;
    }
    @keyframes breathe {
      to {
        opacity: 0.5;
      }
    }
    @keyframes draw {
      from {
        stroke-dashoffset: 100;
      }
    }
  }
  @media (forced-colors: active) {
    .primary,
    .option,
    .base,
    .mark,
    .skeleton i,
    .step,
    .steps > li::before {
      border: 1px solid;
    }
    /* Every button has a box here. */
    .secondary {
      gap: 4px;
    }
    .primary:not(:disabled) {
      background: ButtonText;
      color: ButtonFace;
      forced-color-adjust: none;
    }
    :checked {
      border-color: Highlight;
    }
    .option:has(:checked),
    [aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
    .sign,
    .icon {
      stroke: CanvasText;
    }
    .pulse {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .mark img {
      forced-color-adjust: none;
    }
    summary {
      color: ButtonText;
    }
  }
  @media print {
    /* Paper is white, and printers leave out backgrounds, also those of a shop's dark colours. */
    .base {
      color-scheme: only light;
      --_ink: #000;
      --_link: #000;
      --_muted: #444;
      --_line: #999;
      --_paper: #fff;
      --_tint: #fff;
      --_good: #12703f;
      --_note: #7a4a00;
      --_danger: #b3261e;
    }
    .sign * {
      animation: none;
    }
    .actions,
    .more,
    summary::after {
      display: none;
    }
    .printed {
      display: block;
    }
    .product bdi {
      -webkit-line-clamp: none;
    }
  }
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
