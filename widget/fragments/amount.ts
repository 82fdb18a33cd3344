/** The big amount: on one line when it fits, else the currency gets a line of its own. */
import { html, type TemplateResult } from 'lit';
import type { ViewContext } from './view-context.js';

/**
 * The style sheet has a rule for each multiple of four: a style attribute would need a weaker
 * content security policy.
 */
const widthClass = (characters: number): number => Math.min(36, 4 * Math.ceil(characters / 4));

export function bigAmount(
  { moneyParts }: ViewContext,
  amount: string,
  currency: string,
): TemplateResult {
  const parts = moneyParts(amount, currency);
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  return html`<bdi
    part="amount"
    class="amount w${widthClass(characters)}"
    data-amount=${amount}
    data-currency=${currency}
    >${parts.map(({ text }) => html`<span>${text}</span>`)}</bdi
  >`;
}
