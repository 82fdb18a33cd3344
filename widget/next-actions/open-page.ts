/** A link to the payment page at `checkout_url`. */
import { changeButton, checkButton, resumeButton } from '../fragments/actions.js';
import { externalLink, linkQr } from '../fragments/external-link.js';
import { orderNumber, pulsing, waiting, waitsLong } from '../fragments/order-facts.js';
import type { NextActionView } from './next-action-view.js';

export const openPage: NextActionView<'open_page'> = (view, order, { checkout_url }) => {
  const { leaving, linkOpened, openTarget, popupBlocked, t } = view;
  const hint = openTarget === 'same-tab' ? 'open_page_hint_here' : 'open_page_hint';
  const wasOpened = linkOpened && !popupBlocked;
  const canBringBack = wasOpened && openTarget !== 'same-tab';
  const opened = wasOpened ? t('awaiting') : t('open_page');
  const title = leaving ? t('leaving') : opened;
  const primary = externalLink(
    view,
    order,
    checkout_url,
    canBringBack ? t('bring_back') : t('open_page'),
    'primary',
  );
  return {
    title,
    heading: leaving || wasOpened ? pulsing(title) : title,
    ...(leaving || wasOpened ? {} : { hint: t(hint) }),
    content: waiting(view, order, null),
    primary,
    secondary: [waitsLong(view, order) ? checkButton(view) : null, changeButton(view)],
    more: [linkQr(view, checkout_url), resumeButton(view, order), orderNumber(view, order)],
  };
};
