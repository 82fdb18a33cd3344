/** QR codes, also enlarged, and copyable values. */
import { css } from 'lit';

export const paymentStyles = css`
  .method {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: center;
    margin: 0 0 12px;
    font-weight: 600;
  }
  h2 .method {
    margin: 0;
  }
  .qr-frame {
    position: relative;
    display: block;
    inline-size: fit-content;
    max-inline-size: 100%;
    margin: 4px auto 12px;
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
  .waiting {
    margin: 8px 0;
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
  .large {
    inline-size: fit-content;
    max-inline-size: 100vw;
    padding: 0 0 16px;
    border: 0;
    background: #fff;
  }
  .large .quiet {
    color: #000;
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
