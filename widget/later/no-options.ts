/** The screen of an offer without a way to pay. */
import type { State } from '../checkout/flow.js';
import { backButton, returnLink, supportLink } from '../fragments/actions.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { contact } from './contact.js';

export function noOptions(
  view: ViewContext,
  { offer, replaces }: Extract<State, { phase: 'choosing' }>,
): Screen {
  const primary =
    supportLink(view, offer.support_url, 'primary') ??
    returnLink(offer.return_url, view.t('return'), 'primary');
  return {
    title: view.t('no_options'),
    content: contact(view, primary, offer),
    primary,
    secondary: [backButton(view, replaces)],
  };
}
