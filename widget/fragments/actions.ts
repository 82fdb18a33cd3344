/** Buttons and links that several phases offer, and the shop to contact when there is no link. */
import { html, type TemplateResult } from 'lit';
import { isHelpUrl } from '../../relay/contract/help-url.js';
import type { Order } from '../../relay/contract/order.js';
import { parseUrl } from '../browser/parse-url.js';
import type { Offer } from '../checkout/flow.js';
import { isWeb } from './external-link.js';
import { isolated } from './names.js';
import { waitsLong } from './order-facts.js';
import type { MaybeAction } from './screen.js';
import type { EventOn, ViewContext } from './view-context.js';

/** @param look class of the button */
export const button = (
  action: string,
  words: unknown,
  act: (event: EventOn<HTMLElement>) => void,
  look = 'quiet',
): TemplateResult =>
  html`<button type="button" class=${look} data-action=${action} @click=${act}>${words}</button>`;

/** `aria-disabled` instead of `disabled` during a query: a disabled button loses the focus. */
export function checkButton(
  { actions, checking, t }: ViewContext,
  words: 'check_now' | 'already_paid' = 'check_now',
  look = 'quiet',
): TemplateResult {
  const text = t(checking ? 'checking' : words);
  return html`<button
    type="button"
    class=${look}
    data-action="check-now"
    aria-disabled=${checking}
    aria-label=${text}
    data-text=${text}
    .textContent=${text}
    @click=${() => actions.checkNow()}
  ></button>`;
}

/** For an impatient customer; it comes last, so that it takes no other action's place. */
export const lateCheck = (view: ViewContext, order: Order): MaybeAction =>
  waitsLong(view, order) ? checkButton(view) : null;

/** @param replaces the order that the next choice replaces */
export const backButton = (
  { actions, t }: ViewContext,
  replaces: Order | null,
): TemplateResult | null => replaces && button('back', t('back'), () => actions.backToOrder());

/** @returns null when the offer has no options */
export const changeButton = (
  { actions, canChoose, t }: ViewContext,
  look?: 'primary',
): TemplateResult | null =>
  canChoose ? button('choose-again', t('change'), () => actions.chooseAgain(), look) : null;

export const supportLink = (
  { t }: ViewContext,
  url: string | undefined,
  look: string,
): TemplateResult | null =>
  isHelpUrl(url)
    ? html`<a class=${look} href=${url} target=${isWeb(url) ? '_blank' : '_self'} rel="noopener"
        >${t('support')}</a
      >`
    : null;

export const returnLink = (
  url: string | undefined,
  words: unknown,
  look: string,
): TemplateResult | null => (isWeb(url) ? html`<a class=${look} href=${url}>${words}</a>` : null);

/** Leads to the shop's help, or else back to the shop; null when neither address is known. */
export const shopLink = (view: ViewContext): TemplateResult | null =>
  supportLink(view, view.offer?.support_url, 'primary') ??
  returnLink(view.offer?.return_url, view.t('return'), 'primary');

/**
 * Names the shop to contact, when no address of the shop is known for a button.
 *
 * @param action a link to the shop; null when its address is unknown
 */
export const contact = (
  { t }: ViewContext,
  action: MaybeAction,
  offer: Offer | null,
): TemplateResult | null =>
  action || !offer ? null : html`<p class="hint">${t('support')}: ${isolated(offer.shop_name)}</p>`;

/**
 * Reads the page's `return-url`, for a screen that asks the relay nothing more. The relay has not
 * checked it, so it is used only when it leads to the page's own origin.
 */
export function ownReturnUrl({ returnUrl }: ViewContext): string | undefined {
  const url = parseUrl(returnUrl ?? '');
  return returnUrl !== null && url?.origin === location.origin ? returnUrl : undefined;
}
