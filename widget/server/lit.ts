/**
 * What a renderer on a server needs of Lit; the build puts this file in the place of `lit`, whose
 * custom elements would add `customElements` to the globals of the shop's process.
 */
export { css } from '@lit/reactive-element/css-tag.js';
export { html, noChange, nothing } from 'lit-html';
