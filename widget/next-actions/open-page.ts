/** A link to the payment page at `checkout_url`. */
import { html, type TemplateResult } from 'lit';
import { changeButton } from '../fragments/actions.js';
import { externalLink, isSafeLink } from '../fragments/external-link.js';
import { orderNumber, pulsing, waiting } from '../fragments/order-facts.js';
import { smallQr } from '../fragments/qr.js';
import { tools } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import { checkOrOpen } from './check-or-open.js';
import type { NextActionView } from './next-action-view.js';

export const openPage: NextActionView<'open_page'> = (view, order, { checkout_url }) => {
  const { leaving, linkOpened, openTarget, popupBlocked, t } = view;
  const hint = openTarget === 'same-tab' ? 'open_page_hint_here' : 'open_page_hint';
  const wasOpened = linkOpened && !popupBlocked;
  const opened = wasOpened ? t('awaiting') : t('page_ready');
  const title = leaving ? t('leaving') : opened;
  const link = wasOpened
    ? externalLink(view, order, checkout_url, t('open_again'), 'quiet')
    : externalLink(view, order, checkout_url, t('open_page'), 'primary');
  const { primary, other } = checkOrOpen(view, order, wasOpened, link);
  return {
    title,
    heading: leaving || wasOpened ? pulsing(title) : title,
    ...(leaving ? {} : { hint: t(wasOpened ? 'under_way' : hint) }),
    primary,
    waiting: waiting(view, order, null),
    secondary: [other, changeButton(view)],
    more: [linkQr(view, checkout_url), ...tools(view, order), orderNumber(view, order)],
  };
};

/** The link as a code, for the customer's phone. */
function linkQr(view: ViewContext, link: string): TemplateResult | null {
  const { linkSchemes, t, touch } = view;
  const code =
    touch || !isSafeLink(link, linkSchemes) ? null : smallQr(view, link, t('qr_alt'), 'link-qr');
  return (
    code &&
    html`<p class="hint">${t('on_phone_hint')}</p>
      ${code}`
  );
}
