/** QR codes, copyable values, deposits and the ends. */
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
    forced-color-adjust: none;
  }
  button.qr-frame {
    cursor: zoom-in;
  }
  .qr {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    margin-inline: auto;
  }
  .ring {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    fill: none;
    stroke: #14181f;
    stroke-width: 1;
  }
  .large {
    inline-size: fit-content;
    max-inline-size: 96vw;
    padding: 0 0 16px;
    border: 0;
    background: #fff;
    color-scheme: light;
  }
  .large .quiet {
    color: #000;
  }
  .waiting {
    margin: 8px 0;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .pulse {
    display: inline-block;
    inline-size: 8px;
    block-size: 8px;
    margin-inline-end: 8px;
    border-radius: 4px;
    background: var(--_good);
  }
  .paid h2 {
    flex-direction: column;
    font-size: 1.25rem;
  }
  .paid .amount {
    display: inline;
    font-size: inherit;
  }
  .tick {
    inline-size: 56px;
    block-size: 56px;
    fill: none;
    stroke: var(--_good);
    stroke-width: 3;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-dasharray: 100;
  }
  .chip {
    padding: 2px 10px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: var(--_tint);
    font-size: 0.875rem;
    font-weight: 400;
  }
  .block {
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    text-align: start;
    overflow: hidden;
  }
  .copy-field {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 4px 12px;
    align-items: center;
    padding: 12px;
  }
  .copy-field + .copy-field {
    border-block-start: 1px solid var(--_line);
  }
  .copy-field .field-label {
    grid-column: 1 / -1;
  }
  .done + .copy-field:not(.done) {
    background: var(--_tint);
  }
  .step {
    display: inline-block;
    inline-size: 20px;
    margin-inline-end: 8px;
    border-radius: 10px;
    background: var(--_ink);
    color: var(--_paper);
    font-size: 0.75rem;
    line-height: 20px;
    text-align: center;
  }
  .done .step {
    background: var(--_good);
    font-size: 0;
  }
  .done .step::after {
    content: '✓';
    font-size: 0.75rem;
  }
  .value,
  .mono {
    font:
      500 0.9375rem/1.6 ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
    user-select: all;
  }
  .mono {
    font-size: 0.8125rem;
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
    border-radius: var(--_inner);
    overflow: auto;
    font-size: 0.8125rem;
    text-align: start;
  }
  .codes {
    margin-block-start: 16px;
  }
  @container (inline-size >= 720px) {
    .wide {
      display: grid;
      grid-template-columns: minmax(0, 1fr) minmax(0, 320px);
      gap: 0 32px;
    }
    .wide > * {
      grid-column: 1;
    }
    .wide > .codes {
      grid-column: 2;
      grid-row: 1 / span 9;
      margin: 0;
    }
  }
`;
