/** The parts of Lit that the second script uses; the build replaces `lit` by this file. */
export { css } from '@lit/reactive-element/css-tag.js';
export { html, nothing } from 'lit-html';
