/** Text, options, fields and buttons. */
import { css } from 'lit';

export const controlStyles = css`
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
    margin-block-start: 16px;
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
  .option .icon {
    margin-inline-start: auto;
  }
  .option bdi {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .icon {
    flex: none;
    inline-size: 24px;
    block-size: 24px;
    fill: none;
    stroke: var(--_muted);
    stroke-width: 1.5;
    stroke-linejoin: round;
  }
  .search {
    margin-block: 0 12px;
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
    border: 1px solid var(--_muted);
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
  button:disabled,
  [aria-disabled='true'] {
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
  .tools,
  .codes {
    display: flex;
    flex-wrap: wrap;
    gap: 0 4px;
    justify-content: center;
    margin-block: 4px 12px;
  }
  .tool,
  summary {
    min-block-size: 44px;
    padding: 10px 12px;
    border-radius: 8px;
    color: var(--_accent);
    font-size: 14px;
    cursor: pointer;
  }
  a.tool {
    display: inline-block;
  }
  .fine .tool {
    margin-inline-start: -12px;
  }
  .tool:hover,
  summary:hover {
    background: var(--_tint);
  }
  .tool[aria-pressed='true'] {
    border-color: var(--_accent);
  }
  .actions + .tools {
    margin-block-end: 0;
  }
  details {
    margin-block-start: 12px;
  }
  .on-phone {
    text-align: center;
  }
  @media (pointer: coarse) {
    .on-phone {
      display: none;
    }
  }
  .gate {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 44px;
    margin-block-end: 12px;
    cursor: pointer;
  }
  .gate input {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    accent-color: var(--_accent);
  }
  .centred {
    margin-block-start: 8px;
    text-align: center;
  }
`;
