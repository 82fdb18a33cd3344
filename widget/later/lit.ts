/**
 * The parts of Lit that the second script uses; the build replaces `lit` by this file. `html` and
 * `nothing` are those of lit-html without its renderer, which the first script has: a second copy
 * would also create a second Trusted Types policy of the same name, and a page that allows
 * `trusted-types lit-html` refuses that.
 */
import type { TemplateResult } from 'lit-html';

export { css } from '@lit/reactive-element/css-tag.js';

export const html = (strings: TemplateStringsArray, ...values: unknown[]): TemplateResult<1> => ({
  ['_$litType$']: 1,
  strings,
  values,
});
export const nothing = Symbol.for('lit-nothing');
