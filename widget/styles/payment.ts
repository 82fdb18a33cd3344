/** QR codes, copyable values, the skeleton and the status line. */
import { css } from 'lit';

export const paymentStyles = css`
  .qr-frame {
    display: grid;
    place-items: center;
    inline-size: 264px;
    max-inline-size: 100%;
    aspect-ratio: 1;
    margin: 8px auto 16px;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: #fff;
    overflow: hidden;
    forced-color-adjust: none;
  }
  .small .qr-frame,
  .on-phone .qr-frame {
    inline-size: 200px;
  }
  .qr-box .qr-frame {
    margin-block-end: 4px;
  }
  .large {
    inline-size: fit-content;
    max-inline-size: 96vw;
    padding: 0 0 16px;
    border: 0;
    background: #fff;
    color: #000;
    text-align: center;
  }
  .countdown {
    margin: 0 0 8px;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .qr {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    margin-inline: auto;
  }
  .copy-field {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 4px 12px;
    align-items: center;
    padding-block: 12px;
    border-block-end: 1px solid var(--_line);
  }
  .copy-field .field-label {
    grid-column: 1 / -1;
  }
  .step {
    display: inline-block;
    inline-size: 20px;
    margin-inline-end: 8px;
    border-radius: 10px;
    background: var(--_ink);
    color: var(--_paper);
    font-size: 12px;
    text-align: center;
  }
  .value,
  .mono {
    font:
      500 15px/24px ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
    user-select: all;
  }
  .mono {
    font-size: 13px;
  }
  .group {
    display: inline-block;
    margin-inline-end: 0.4em;
  }
  .payload {
    display: block;
    max-block-size: 160px;
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: 8px;
    overflow: auto;
    font-size: 13px;
  }
  .facts {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 16px;
    margin: 0 0 16px;
    font-size: 15px;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
  }
  .skeleton i {
    display: block;
    block-size: 52px;
    margin-block-end: 1px;
    border-radius: 8px;
    background: var(--_tint);
  }
  .skeleton .tall {
    block-size: 72px;
    margin-block-end: 20px;
  }
  .skeleton .square {
    inline-size: 264px;
    max-inline-size: 100%;
    block-size: auto;
    aspect-ratio: 1;
    margin: 8px auto 16px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton i {
      animation: breathe 1.2s ease-in-out infinite alternate;
    }
    @keyframes breathe {
      to {
        opacity: 0.5;
      }
    }
  }
  [hidden] {
    display: none;
  }
  @media (forced-colors: active) {
    .primary,
    .option,
    .base,
    .step {
      border: 1px solid;
      forced-color-adjust: auto;
    }
    .option:has(:checked),
    [aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
    .icon,
    .mark {
      stroke: CanvasText;
    }
  }
  .status {
    min-block-size: 20px;
    margin: 12px 0 0;
    color: var(--_muted);
    font-size: 13px;
    line-height: 20px;
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
