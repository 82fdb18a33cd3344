/** Buttons and links that several phases offer. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { ViewContext } from './view-context.js';

/** @param look class of the button */
export const button = (
  action: string,
  words: unknown,
  act: () => void,
  look = 'quiet',
): TemplateResult =>
  html`<button type="button" class=${look} data-action=${action} @click=${act}>${words}</button>`;

/** `aria-disabled` instead of `disabled` during a query: a disabled button loses the focus. */
export const checkButton = (
  { actions, checking, t }: ViewContext,
  words: 'check_now' | 'already_paid' = 'check_now',
): TemplateResult =>
  html`<button
    type="button"
    class="quiet"
    data-action="check-now"
    aria-disabled=${checking}
    @click=${() => actions.checkNow()}
  >
    ${t(checking ? 'checking' : words)}
  </button>`;

/** @param replaces the order that the next choice replaces */
export const backButton = (
  { actions, t }: ViewContext,
  replaces: Order | null,
): TemplateResult | null => replaces && button('back', t('back'), () => actions.backToOrder());

/** @returns null when the offer has no options */
export const changeButton = ({ actions, canChoose, t }: ViewContext): TemplateResult | null =>
  canChoose ? button('choose-again', t('change'), () => actions.chooseAgain()) : null;

const isWeb = (url: string | undefined): url is string => url !== undefined && /^https?:/.test(url);

export const supportLink = (
  { t }: ViewContext,
  url: string | undefined,
  look: string,
): TemplateResult | null =>
  isWeb(url)
    ? html`<a class=${look} href=${url} target="_blank" rel="noopener">${t('support')}</a>`
    : null;

export const returnLink = (
  url: string | undefined,
  words: unknown,
  look: string,
): TemplateResult | null => (isWeb(url) ? html`<a class=${look} href=${url}>${words}</a>` : null);
