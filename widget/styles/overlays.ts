/** The modal, enlarged codes, copyable values, and controls that are disabled or hovered. */
import { css } from 'lit';

export const overlayStyles = css`
  .modal {
    inline-size: min(520px, 100vw - 32px);
    max-block-size: calc(100dvh - 32px);
    padding: 0;
    border: 0;
    border-radius: var(--_radius);
    background: var(--_paper);
    color: inherit;
    container-type: inline-size;
  }
  .modal .base {
    border: 0;
    padding-block-end: calc(24px + env(safe-area-inset-bottom));
  }
  .modal .ribbon {
    border-radius: 0;
  }
  .bar {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 4px 4px 4px 16px;
    border-block-end: 1px solid var(--_line);
    background: var(--_paper);
  }
  .bar b {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 1;
    overflow: hidden;
    font-weight: 600;
  }
  /* The bar of the modal names the shop already. */
  .modal .summary .shop {
    display: none;
  }
  .close {
    min-inline-size: 44px;
    margin-inline-start: auto;
    text-decoration: none;
  }
  dialog::backdrop {
    background: rgb(10 14 20 / 55%);
  }
  @media (width <= 600px) {
    .modal {
      inline-size: 100%;
      max-inline-size: none;
      margin-block-end: 0;
      border-end-start-radius: 0;
      border-end-end-radius: 0;
    }
  }
  /* On a touch screen the colour of hovering would stay after a tap. */
  @media (hover: hover) {
    .quiet:hover,
    summary:hover {
      background: var(--_tint);
    }
  }
  button:disabled,
  [aria-disabled='true'] {
    color: var(--_muted);
    cursor: default;
  }
  .primary:disabled {
    background: var(--_tint);
  }
  button.qr-frame {
    cursor: zoom-in;
  }
  .ring {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    fill: none;
    stroke: #14181f;
    stroke-width: 2;
    stroke-linecap: round;
  }
  .ring rect {
    inline-size: calc(100% - 4px);
    block-size: calc(100% - 4px);
    rx: max(0px, var(--_inner) - 3px);
  }
  .qr-frame:has(.ring) {
    border-color: transparent;
  }
  .ring :first-child {
    stroke-opacity: 0.2;
  }
  .large {
    inline-size: fit-content;
    max-inline-size: 100vw;
    padding: 0 0 16px;
    border: 0;
    background: #fff;
    color-scheme: light;
  }
  .large .quiet {
    color: #000;
  }
  .value,
  a small {
    display: block;
    font-weight: 400;
  }
  .mono {
    font:
      500 0.9375rem/1.6 ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
    user-select: all;
  }
  .mono,
  .payload {
    font-size: 0.8125rem;
  }
`;
