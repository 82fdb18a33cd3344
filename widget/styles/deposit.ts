/** Deposits: addresses and tags to copy, and their codes. */
import { css } from 'lit';

export const depositStyles = css`
  [aria-pressed='true'] {
    border-color: var(--_ink);
  }
  .deposit > .note {
    display: flex;
    gap: 8px;
    text-align: start;
    background: color-mix(in srgb, var(--_note) 12%, var(--_paper));
  }
  .good {
    color: var(--_good);
  }
  .stop {
    border-color: var(--_danger);
    background: var(--_danger);
    color: var(--_paper);
    font-weight: 600;
  }
  .gate {
    display: flex;
    gap: 12px;
    align-items: center;
    justify-content: center;
    min-block-size: 44px;
    margin-block-end: 12px;
    text-align: start;
    cursor: pointer;
  }
  .chip {
    display: inline-block;
    margin-inline-start: 4px;
    padding: 2px 10px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: var(--_tint);
    font-size: calc(0.875 * var(--_size));
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
    gap: 4px 8px;
    align-items: center;
    padding: 12px;
  }
  .copy-field + .copy-field {
    border-block-start: 1px solid var(--_line);
  }
  .copy-field .field-label,
  .copy-field .error {
    grid-column: 1 / -1;
  }
  /* The value runs from left to right, but stands below its label in every language. */
  .copy-field .value {
    justify-self: start;
    font-size: calc(0.9375 * var(--_size));
  }
  .copy-field [part='tag'] {
    font-size: calc(1.25 * var(--_size));
    font-weight: 600;
  }
  /* Wide enough for the result of a copy: else the value beside the button would wrap anew. */
  .copy-field button {
    min-inline-size: 80px;
    padding-inline: 8px;
    border-color: var(--_line);
    text-decoration: none;
  }
  .done + .copy-field:not(.done) {
    background: var(--_tint);
  }
  .step {
    margin-inline-end: 8px;
    vertical-align: middle;
  }
  .done .step {
    background: var(--_good);
    font-size: 0;
  }
  .done .step::after {
    content: '✓';
    font-size: calc(0.75 * var(--_size));
  }
  .group {
    display: inline-block;
    margin-inline-end: 0.4em;
  }
  div.codes {
    margin-block-start: 16px;
  }
  /* The frame is as wide as its small code: a white band across a dark card would be too bright. */
  .codes .qr-frame {
    inline-size: fit-content;
    margin-inline: auto;
    border-radius: var(--_inner);
  }
  @container (inline-size >= 720px) {
    .beside-codes {
      max-inline-size: 960px;
    }
    .beside-codes .deposit {
      display: grid;
      /* The last row takes what a tall code needs; equal rows would leave a gap at the end. */
      grid-template: repeat(8, auto) 1fr / minmax(0, 1fr) minmax(0, 320px);
      gap: 0 32px;
    }
    .beside-codes .deposit > * {
      grid-column: 1;
    }
    .beside-codes .deposit > .codes {
      grid-column: 2;
      grid-row: 1 / span 9;
      margin: 0;
    }
  }
`;
