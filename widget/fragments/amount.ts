/** An amount that breaks only between its number and its currency, and shrinks before it breaks. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ViewContext } from './view-context.js';

/**
 * The style sheet has a rule for each multiple of four: a style attribute would need a weaker
 * content security policy.
 */
const widthClass = (characters: number): number => Math.min(36, 4 * Math.ceil(characters / 4));

/** @param part null inside a button: only the large amount of the card is the part `amount` */
export function amountIn(
  { moneyParts }: ViewContext,
  amount: string,
  currency: string,
  part: 'amount' | null = 'amount',
): TemplateResult {
  const parts = moneyParts(amount, currency);
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  return html`<bdi
    part=${part ?? nothing}
    class="amount w${widthClass(characters)}"
    data-amount=${amount}
    data-currency=${currency}
    >${parts.map(({ text }) => html`<span>${text}</span><wbr />`)}</bdi
  >`;
}
