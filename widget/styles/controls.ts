/** Text, options, fields, buttons and folded lists. */
import { css } from 'lit';

export const controlStyles = css`
  h2 {
    display: flex;
    flex-direction: column;
    gap: 8px;
    align-items: center;
    margin: 0 0 8px;
    font-size: var(--_size);
    font-weight: 600;
  }
  h2 .sign + * {
    font-size: calc(1.125 * var(--_size));
  }
  .sole {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .hint,
  .note,
  .fine {
    margin: 0 0 16px;
    color: var(--_muted);
    font-size: calc(0.9375 * var(--_size));
  }
  .note {
    padding: 8px 12px;
    border: 1px solid var(--_note);
    border-radius: var(--_inner);
    color: var(--_ink);
  }
  .fine {
    margin: 12px 0 0;
    font-size: calc(0.8125 * var(--_size));
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  .option {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 52px;
    padding: 8px 16px;
    border: 1px solid var(--_line);
    text-align: start;
    cursor: pointer;
  }
  .crowded .option {
    min-block-size: 44px;
    padding-block: 4px;
  }
  .option + .option {
    border-block-start: 0;
  }
  .option:first-of-type {
    border-start-start-radius: var(--_inner);
    border-start-end-radius: var(--_inner);
  }
  .option:last-of-type {
    border-end-start-radius: var(--_inner);
    border-end-end-radius: var(--_inner);
  }
  .option:has(:checked) {
    background: var(--_tint);
    font-weight: 600;
  }
  bdi + .mark {
    margin-inline-start: auto;
  }
  bdi {
    min-inline-size: 0;
  }
  [type='radio'],
  [type='checkbox'] {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    margin: 0;
    accent-color: var(--_ink);
    cursor: inherit;
  }
  [type='radio'] {
    border: 2px solid var(--_muted);
    border-radius: 50%;
    background: var(--_paper);
    appearance: none;
  }
  [type='radio']:checked {
    border: 6px solid var(--_ink);
  }
  .input {
    display: block;
    margin-block-start: 16px;
    text-align: start;
  }
  .search {
    margin-block: 0 12px;
  }
  .field-label {
    color: var(--_muted);
    font-size: calc(0.875 * var(--_size));
  }
  .input input {
    display: block;
    inline-size: 100%;
    min-block-size: 48px;
    margin-block-start: 4px;
    padding: 8px 12px;
    border: 1px solid var(--_muted);
    border-radius: var(--_inner);
    background: var(--_paper);
    color: inherit;
    font: inherit;
  }
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  /* A line breaks before a name, before it breaks inside the name. */
  .hint bdi,
  .fact {
    display: inline-block;
  }
  .error {
    display: block;
    flex-basis: 100%;
    margin-block-start: 6px;
    color: var(--_danger);
    font-size: calc(0.875 * var(--_size));
  }
  .input input[aria-invalid] {
    border-color: var(--_danger);
  }
  button,
  a,
  summary {
    min-block-size: 44px;
    padding: 10px 16px;
    border: 1px solid transparent;
    border-radius: var(--_inner);
    background: none;
    color: var(--_link);
    font: inherit;
    cursor: pointer;
  }
  .primary {
    display: block;
    inline-size: 100%;
    min-block-size: 48px;
    padding: 12px 16px;
    border-color: color-mix(in srgb, var(--_accent), var(--_ink) 50%);
    background: var(--_accent);
    color: var(
      --pay-on-accent,
      color(
        from var(--_accent) xyz-d65 calc(0.95 * var(--_light)) var(--_light)
          calc(1.089 * var(--_light))
      )
    );
    font-weight: 600;
    text-decoration: none;
    font-variant-numeric: tabular-nums;
  }
  .primary .amount {
    display: inline;
    font: inherit;
    font-size: min(1em, (100cqi - 34px) / (var(--_characters, 8) * 0.68 - 2.7));
    letter-spacing: 0;
  }
  .actions {
    container-type: inline-size;
    margin-block-start: 16px;
  }
  .quiet,
  summary {
    font-size: calc(0.9375 * var(--_size));
    text-decoration: underline;
    text-decoration-color: var(--_muted);
    text-underline-offset: 3px;
  }
  summary {
    position: relative;
    display: block;
    inline-size: fit-content;
    margin-inline: auto;
    padding-inline: 22px;
  }
  /* The arrow takes no space, so that the text stays in the centre. */
  summary::after {
    position: absolute;
    inset-block-start: calc(0.7 * var(--_size) + 5px);
    inset-inline-end: 5px;
    padding: 3px;
    border: solid;
    border-width: 0 1.5px 1.5px 0;
    content: '';
    transform: rotate(45deg);
  }
  [open] > summary::after {
    inset-block-start: calc(0.7 * var(--_size) + 9px);
    transform: rotate(225deg);
  }
  :focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  h2:focus-visible {
    outline: 0;
  }
  .kinds,
  .secondary {
    display: flex;
    flex-wrap: wrap;
    gap: 0 4px;
    justify-content: center;
    margin-block-start: 4px;
  }
  .secondary > .quiet {
    padding-inline: 10px;
  }
  .secondary summary {
    padding-inline: 10px 22px;
  }
  /* An open list, and a text that could not be copied, take rows of their own. */
  .secondary > [open],
  .secondary > .payload {
    flex-basis: 100%;
  }
  @media (min-height: 500px) {
    .sticky {
      position: sticky;
      /* where the height ends within a pixel, the row below would show */
      inset-block-end: -1px;
      padding-block: 12px;
      border-block-start: 1px solid var(--_line);
      background: var(--_paper);
    }
  }
  .more > .quiet {
    display: block;
    inline-size: 100%;
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
`;
