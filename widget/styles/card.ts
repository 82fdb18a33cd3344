/** Design tokens, the card, its header and the modal. */
import { css } from 'lit';

export const cardStyles = css`
  :host {
    /* Above a luminance of 0.179, black has more contrast to the accent than white. */
    --_light: clamp(0, (0.179 - y) * 1e6, 1);
    --_size: var(--pay-font-size, max(16px, 1rem));
    display: block;
    container-type: inline-size;
    min-inline-size: 240px;
    max-inline-size: 100%;
    /* A container has no width of its own, but a dialog, a flex row and a table cell ask for it. */
    contain-intrinsic-inline-size: min(520px, 100vw - 48px);
    writing-mode: horizontal-tb;
  }
  :host([hidden]) {
    display: none;
  }
  /* A modal takes no space in the page. */
  :host([display~='modal']) {
    min-inline-size: 0;
    contain-intrinsic-inline-size: none;
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
  [hidden] {
    display: none;
  }
  /*
   * What the page lets its elements inherit ends here. Without this its capitals, spacing, colours
   * and sizes would arrive in the card. A page that hides or disables its content means the card
   * too.
   */
  .base,
  .bar {
    all: initial;
    box-sizing: border-box;
    visibility: inherit;
    pointer-events: inherit;
    color-scheme: inherit;
    font: 400 var(--_size) / 1.5 var(--pay-font, system-ui, sans-serif);
    color: var(--_ink);
    text-align: center;
    text-wrap: balance;
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
    -webkit-user-select: text;
    user-select: text;
  }
  .base {
    display: block;
    position: relative;
    max-inline-size: 520px;
    margin-inline: auto;
    break-inside: avoid;
    padding: 24px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_paper);
  }
  .anchor {
    position: absolute;
    inset: 0 0 auto;
    block-size: 1px;
    scroll-margin-block-start: 16px;
  }
  .ribbon {
    margin: -24px -24px 16px;
    padding: 4px 24px;
    border-block-end: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 1px) calc(var(--_radius) - 1px) 0 0;
    background: var(--_tint);
    color: var(--_note);
    font-size: calc(0.8125 * var(--_size));
  }
  .summary {
    container-type: inline-size;
    margin-block-end: 20px;
    padding-block-end: 20px;
    border-block-end: 1px solid var(--_line);
  }
  /* Shop and product on the left, the amount on the right; a long amount takes a row of its own. */
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0 16px;
    align-items: center;
    margin-block-end: 12px;
    padding-block-end: 12px;
    text-align: start;
    --_largest: calc(1.5 * var(--_size));
  }
  .row > div {
    flex: 1 1 calc(9 * var(--_size));
    min-inline-size: 0;
  }
  /* A name in Latin letters would else begin at its own side, away from the shop above it. */
  [dir='rtl'] .row > div {
    text-align: right;
  }
  .row .shop {
    justify-content: start;
  }
  .row .product {
    margin: 0;
  }
  .row .amount {
    margin-inline-start: auto;
  }
  .shop {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: center;
    margin: 0;
    font-weight: 600;
  }
  /* A text that wraps takes the whole row, and stays beside the logo. */
  .shop .mark + * {
    text-align: start;
  }
  .mark {
    position: relative;
    display: grid;
    flex: none;
    place-items: center;
    inline-size: calc(2 * var(--_size));
    block-size: calc(2 * var(--_size));
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    /* Pictures are drawn for white, in every theme. */
    background: #fff;
    color: #566;
    overflow: hidden;
  }
  .icon {
    inline-size: 62.5%;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .mark img {
    position: absolute;
    inline-size: 100%;
    block-size: 100%;
    background: inherit;
    object-fit: contain;
  }
  /* It takes its place before it is loaded, so that a browser sees when it comes into sight. */
  .mark [hidden] {
    display: block;
    visibility: hidden;
  }
  .product {
    margin: 4px 0 0;
    color: var(--_muted);
    font-size: calc(0.875 * var(--_size));
  }
  .product summary {
    color: inherit;
    text-decoration: none;
  }
  .row .product summary {
    margin: 0;
    padding-inline: 0 20px;
  }
  .shop > :last-child,
  .product bdi {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
  }
  /* In a long language the sentence around the name takes two lines on the narrowest phone. */
  .shop > :last-child {
    -webkit-line-clamp: 3;
  }
  details[open] bdi {
    -webkit-line-clamp: none;
  }
  /*
   * One character is about 0.6 em wide; the amount shrinks before it breaks. Its smallest size does
   * not grow with the customer's text size, or a long amount would break on a phone. Before the
   * number becomes smaller than that, the currency moves to a line of its own, which saves at least
   * four characters.
   */
  .amount {
    display: block;
    font-size: clamp(
      min(20px, 100cqi / (var(--_characters, 8) * 0.68 - 2.7)),
      100cqi / (var(--_characters, 8) * 0.6),
      var(--_largest, calc(2.25 * var(--_size)))
    );
    font-weight: 600;
    line-height: 1.25;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  .w12 {
    --_characters: 12;
  }
  .w16 {
    --_characters: 16;
  }
  .w20 {
    --_characters: 20;
  }
  .w24 {
    --_characters: 24;
  }
  .w28 {
    --_characters: 28;
  }
  .w32 {
    --_characters: 32;
  }
  .w36 {
    --_characters: 36;
  }
  .amount span {
    white-space: nowrap;
  }
  @container (inline-size < 480px) {
    .base {
      padding: 16px;
    }
    .ribbon {
      margin: -16px -16px 12px;
    }
  }
`;
