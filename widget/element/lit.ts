/**
 * The parts of Lit that the first script uses; the build replaces `lit` by this file. Lit's own
 * `css` would add the code for values in a style sheet, and the sheets here have none.
 */
import { unsafeCSS, type CSSResult } from '@lit/reactive-element/css-tag.js';

export { LitElement } from 'lit-element/lit-element.js';
export { html, nothing } from 'lit-html';

export const css = (text: TemplateStringsArray): CSSResult => unsafeCSS(text.join(''));
