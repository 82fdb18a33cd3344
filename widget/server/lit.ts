/**
 * The parts of Lit that the server's renderer uses. The build replaces `lit` by this file, because
 * `lit` would add `customElements` to the globals of the shop's process.
 */
export { css, unsafeCSS } from '@lit/reactive-element/css-tag.js';
export { html, noChange, nothing } from 'lit-html';
