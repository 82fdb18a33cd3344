/** QR codes, also enlarged, and copyable values. */
import { css } from 'lit';

export const paymentStyles = css`
  .method {
    margin: -4px 0 8px;
    color: var(--_muted);
    font-size: calc(0.875 * var(--_size));
  }
  .payee {
    margin: 8px 0;
    font-weight: 600;
  }
  .qr-frame {
    position: relative;
    display: block;
    inline-size: fit-content;
    max-inline-size: 100%;
    margin-inline: auto;
    padding: 5px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    background: #fff;
  }
  /* Forced colours, a browser that darkens pages, and a printer keep the code as it is. */
  .qr-frame,
  .qr,
  .large {
    color-scheme: only light;
    forced-color-adjust: none;
    -webkit-print-color-adjust: exact;
    print-color-adjust: exact;
  }
  /* On the narrowest phones the code needs the card's full width, or its modules are too small. */
  @container (inline-size < 360px) {
    .qr-frame {
      inline-size: calc(100% + 32px);
      max-inline-size: none;
      margin-inline: -16px;
      border-inline: none;
      border-radius: 0;
    }
  }
  .qr {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    margin-inline: auto;
  }
  .qr-frame + .hint {
    margin-block-start: 8px;
  }
  .waiting {
    margin: 12px 0 0;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .pulse {
    display: inline-block;
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    margin-inline: 0 8px;
    border-radius: 4px;
    background: var(--_good);
  }
  .blind .pulse {
    background: var(--_note);
    animation: none;
  }
  .steps {
    display: grid;
    gap: 12px;
    margin: 0;
    padding: 0;
    text-align: start;
    list-style: none;
    counter-reset: step;
  }
  .steps > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 8px 12px;
    align-items: center;
    counter-increment: step;
  }
  .steps > li > * {
    grid-column: 2;
  }
  .steps > li > :not(.payload) {
    text-align: center;
  }
  .step,
  .steps > li::before {
    display: inline-grid;
    flex: none;
    place-items: center;
    inline-size: calc(1.5 * var(--_size));
    block-size: calc(1.5 * var(--_size));
    border-radius: 50%;
    background: var(--_ink);
    color: var(--_paper);
    content: counter(step);
    font-size: calc(0.8125 * var(--_size));
    font-weight: 600;
    line-height: 1;
  }
  .steps > .done::before {
    background: var(--_good);
    content: '✓';
  }
  /* A phone's actions are rows of the full width, so that all begin at one line. */
  .phone .waiting,
  .phone .secondary > .quiet,
  .phone :not(.product) > summary {
    border-block-start: 1px solid var(--_line);
    border-radius: 0;
  }
  .phone .waiting {
    margin-block-start: 16px;
    padding: 12px 4px 0;
    text-align: start;
  }
  .phone .secondary {
    display: block;
    margin-block-start: 12px;
  }
  .phone .secondary .quiet,
  .phone :not(.product) > summary {
    display: flex;
    align-items: center;
    justify-content: space-between;
    inline-size: 100%;
    padding-inline: 4px;
    text-align: start;
    text-decoration: none;
  }
  .phone :not(.product) > summary::after {
    position: static;
    flex: none;
    margin-inline: 8px 4px;
  }
  .payload {
    display: block;
    max-block-size: 160px;
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    overflow: auto;
    overflow-wrap: anywhere;
    font-size: calc(0.8125 * var(--_size));
    text-align: start;
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
  /* In a low window the code stands beside all else. */
  @media (max-height: 499px) and (min-width: 600px) {
    .beside-code,
    .modal {
      max-inline-size: 760px;
    }
    .modal {
      inline-size: calc(100vw - 32px);
    }
    @container (inline-size >= 560px) {
      .beside-code > div {
        display: grid;
        /* The last row takes what the code is higher. */
        grid-template: repeat(11, auto) 1fr / auto minmax(0, 1fr);
        column-gap: 24px;
      }
      .beside-code .phase,
      .beside-code .screen {
        display: contents;
      }
      .beside-code > div > *,
      .beside-code .screen > * {
        grid-column: 2;
      }
      .beside-code .qr-box {
        grid-column: 1;
        grid-row: 1 / span 12;
      }
      .beside-code .ribbon {
        margin: 0 0 12px;
        border: 1px solid var(--_line);
        border-radius: var(--_inner);
      }
    }
  }
  .large {
    inline-size: fit-content;
    max-inline-size: 100vw;
    padding: 0 0 16px;
    border: 0;
    border-radius: var(--_radius);
    background: #fff;
  }
  .large > div {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    padding-inline: 24px 16px;
    color: #000;
    text-align: start;
  }
  .large .quiet {
    color: inherit;
  }
  .value,
  a small {
    display: block;
    font-weight: 400;
  }
  /*
   * A customer compares or types these values letter by letter, and a changed letter loses the
   * money. Even a page that styles their parts cannot change how the letters look.
   */
  .value,
  .mono {
    direction: ltr !important;
    font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace !important;
    font-feature-settings: normal !important;
    font-style: normal !important;
    font-variant: normal !important;
    hyphens: none !important;
    letter-spacing: normal !important;
    text-indent: 0 !important;
    text-shadow: none !important;
    text-transform: none !important;
    white-space: pre-wrap !important;
    word-spacing: normal !important;
    -webkit-text-fill-color: currentcolor !important;
    -webkit-text-security: none !important;
    -webkit-user-select: text !important;
    user-select: text !important;
  }
  .mono {
    font-size: calc(0.8125 * var(--_size));
    font-weight: 500;
    -webkit-user-select: all !important;
    user-select: all !important;
  }
`;
