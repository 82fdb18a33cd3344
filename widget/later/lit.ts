/** What the second script needs of Lit; the build puts this file in the place of `lit`. */
export { css } from '@lit/reactive-element/css-tag.js';
export { html, nothing } from 'lit-html';
