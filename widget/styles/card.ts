/** Design tokens, the card and its summary. */
import { css } from 'lit';

export const cardStyles = css`
  :host {
    color-scheme: light dark;
    --_accent: var(--pay-accent, light-dark(#1f5fd0, #7fb0ff));
    --_on-accent: var(--pay-on-accent, light-dark(#fff, #0b1220));
    --_ink: var(--pay-ink, light-dark(#14181f, #eef1f6));
    --_muted: var(--pay-muted, light-dark(#59616e, #a3adbc));
    --_line: var(--pay-line, light-dark(#dde1e7, #333b48));
    --_paper: var(--pay-paper, light-dark(#fff, #151a22));
    --_tint: var(--pay-tint, light-dark(#f5f7fa, #1d2430));
    --_good: var(--pay-good, light-dark(#12703f, #62d297));
    --_note: var(--pay-note, light-dark(#7a4a00, #f2c26b));
    --_radius: var(--pay-radius, 12px);
    display: block;
    container-type: inline-size;
    min-inline-size: 240px;
    font:
      400 16px/24px system-ui,
      sans-serif;
    font-family: var(--pay-font, system-ui, sans-serif);
    color: var(--_ink);
    text-align: start;
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  * {
    box-sizing: border-box;
  }
  .modal {
    inline-size: min(480px, calc(100vw - 32px));
    max-block-size: calc(100dvh - 32px);
    padding: 0;
    border: 0;
    border-radius: var(--_radius);
    background: none;
    color: inherit;
    container-type: inline-size;
  }
  dialog::backdrop {
    background: rgb(10 14 20 / 55%);
  }
  .close {
    position: absolute;
    inset-block-start: 8px;
    inset-inline-end: 8px;
  }
  .base {
    position: relative;
    padding: 24px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_paper);
  }
  @container (inline-size < 360px) {
    .base {
      padding: 16px;
    }
  }
  .phase {
    max-inline-size: 560px;
  }
  @container (inline-size >= 720px) {
    .base:has(.summary) {
      display: grid;
      grid-template-columns: minmax(0, 1fr) minmax(0, 480px);
      gap: 0 48px;
      padding: 32px;
    }
    .base > .ribbon {
      grid-column: 1 / -1;
      margin: -32px -32px 32px;
    }
    .base > .summary {
      border: 0;
    }
    .status {
      grid-column: 2;
    }
  }
  .ribbon {
    margin: -24px -24px 20px;
    padding: 4px 24px;
    border-block-end: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 1px) calc(var(--_radius) - 1px) 0 0;
    background: var(--_tint);
    color: var(--_note);
    font-size: 13px;
    line-height: 20px;
    text-align: center;
  }
  @container (inline-size < 360px) {
    .ribbon {
      margin: -16px -16px 16px;
    }
  }
  .summary {
    margin-block-end: 20px;
    padding-block-end: 20px;
    border-block-end: 1px solid var(--_line);
  }
  .product,
  .remark {
    margin: 0;
    color: var(--_muted);
    font-size: 14px;
    line-height: 20px;
    overflow-wrap: anywhere;
  }
  .amount {
    margin: 4px 0 0;
    font-size: 36px;
    font-weight: 600;
    line-height: 44px;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
`;
