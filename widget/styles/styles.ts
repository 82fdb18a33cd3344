/** How the element looks: tokens first, a 4 px grid, hairlines, one accent (design §8). */
import { css } from 'lit';

export const styles = css`
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
  dialog {
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
  h2 {
    display: flex;
    gap: 8px;
    align-items: center;
    margin: 0 0 4px;
    font-size: 18px;
    font-weight: 600;
    line-height: 28px;
  }
  .good {
    color: var(--_good);
  }
  .mark {
    inline-size: 24px;
    block-size: 24px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .hint,
  .note,
  .fine {
    margin: 0 0 16px;
    color: var(--_muted);
    font-size: 15px;
    line-height: 24px;
    overflow-wrap: anywhere;
  }
  .note {
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--_note);
    color: var(--_ink);
  }
  .fine {
    margin: 12px 0 0;
    font-size: 13px;
    line-height: 20px;
  }
  .fine:empty {
    display: none;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend,
  .field-label {
    padding: 0;
    color: var(--_muted);
    font-size: 14px;
    line-height: 20px;
  }
  legend {
    margin-block-end: 8px;
  }
  .option {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 52px;
    padding: 8px 16px;
    border: 1px solid var(--_line);
    cursor: pointer;
  }
  .option + .option {
    border-block-start: 0;
  }
  .option:first-of-type {
    border-start-start-radius: 8px;
    border-start-end-radius: 8px;
  }
  .option:last-of-type {
    border-end-start-radius: 8px;
    border-end-end-radius: 8px;
  }
  .option:has(:checked) {
    background: var(--_tint);
    font-weight: 600;
  }
  .option input {
    inline-size: 20px;
    block-size: 20px;
    margin: 0;
    accent-color: var(--_accent);
  }
  .input {
    display: block;
    margin-block-start: 16px;
  }
  .input input {
    display: block;
    inline-size: 100%;
    min-block-size: 48px;
    margin-block-start: 4px;
    padding: 8px 12px;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_paper);
    color: inherit;
    font: inherit;
  }
  button,
  a.primary {
    min-block-size: 44px;
    padding: 10px 16px;
    border: 1px solid transparent;
    border-radius: 8px;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .primary,
  a.primary {
    display: block;
    inline-size: 100%;
    min-block-size: 48px;
    padding: 12px 16px;
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    font-variant-numeric: tabular-nums;
  }
  .quiet {
    border-color: var(--_line);
    font-size: 15px;
  }
  .quiet:hover:not(:disabled) {
    background: var(--_tint);
  }
  button:disabled {
    color: var(--_muted);
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  a {
    color: var(--_accent);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-block-start: 20px;
  }
  .actions .quiet {
    flex: 1 1 auto;
  }
  .centred {
    margin-block-start: 8px;
    text-align: center;
  }
  .qr-frame {
    inline-size: 264px;
    max-inline-size: 100%;
    margin: 8px auto 16px;
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: #fff;
    overflow: hidden;
    forced-color-adjust: none;
  }
  .qr-frame.small {
    inline-size: 200px;
    margin-block: 20px 0;
  }
  .qr {
    display: block;
    inline-size: 100%;
    block-size: auto;
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
  .status {
    min-block-size: 20px;
    margin: 12px 0 0;
    color: var(--_muted);
    font-size: 13px;
    line-height: 20px;
  }
  .status:empty,
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
