/** Buttons and links that several phases offer. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { resumeLink } from '../../relay/contract/resume-link.js';
import { copyButton } from './copy-field.js';
import { withName } from './names.js';
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

/** @returns null when the offer has no options */
export const changeButton = ({ actions, canChoose, t }: ViewContext): TemplateResult | null =>
  canChoose ? button('choose-again', t('change'), () => actions.chooseAgain()) : null;

/**
 * Pays again with the order's own option.
 *
 * @param words text of the button; the default names the option
 * @returns null when the option is no longer offered
 */
export function againButton(
  { actions, label, options, t }: ViewContext,
  order: Order,
  words?: string,
): TemplateResult | null {
  const option = options.find(({ id }) => id === order.option);
  if (!option) return null;
  const text = words ?? withName(t('again'), '{option}', label(option.label));
  return button('again', text, () => actions.payAgain(option), 'primary');
}

export const resumeButton = (view: ViewContext, order: Order): TemplateResult =>
  copyButton(view, '', resumeLink(view.relay, order), view.t('resume_link'));

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
