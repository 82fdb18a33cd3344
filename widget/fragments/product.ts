/** What is bought: at most two lines of its name and of its remark, the rest on demand. */
import { html, type TemplateResult } from 'lit';
import type { Offer } from '../checkout/flow.js';
import { isolated } from './names.js';

/** More letters may take a third line on the narrowest phone at the largest text. */
const MAX_LETTERS = 40;
/** Thai, Chinese and others: about as wide as two Latin letters. */
const WIDE = /[\u0e00-\uffff]/g;

export function product({
  product_name,
  remark = '',
}: Pick<Offer, 'product_name' | 'remark'>): TemplateResult {
  const texts = [product_name, remark];
  const names = texts.map(isolated);
  return texts.some((text) => text.replace(WIDE, '--').length > MAX_LETTERS)
    ? html`<details class="product">
        <summary>${names}</summary>
      </details>`
    : html`<p class="product">${names}</p>`;
}
