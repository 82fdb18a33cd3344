/** A link to the payment page at `checkout_url`. */
import { html } from 'lit';
import { externalLink, isSafeLink } from '../fragments/external-link.js';
import { orderNumber, payee, pulsing, waiting } from '../fragments/order-facts.js';
import { smallQr } from '../fragments/qr.js';
import type { MaybeAction } from '../fragments/screen.js';
import { resumeButton, tools } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import { checkOrOpen, lastRoads } from './check-or-open.js';
import type { NextActionView } from './next-action-view.js';
import { elsewhere } from './on-phone.js';

export const openPage: NextActionView<'open_page'> = (view, order, { checkout_url }) => {
  const { leaving, linkOpened, nothingOpened, offer, openTarget, t, touch } = view;
  const isHere = openTarget === 'same-tab';
  const hint = isHere ? 'open_page_hint_here' : 'open_page_hint';
  const wasOpened = linkOpened && !nothingOpened;
  const code = linkQr(view, checkout_url);
  const opened = wasOpened ? t('awaiting') : t('page_ready');
  const title = leaving ? t('leaving') : opened;
  const [words, look] = wasOpened
    ? (['open_again', 'quiet'] as const)
    : (['open_page', 'primary'] as const);
  const link = externalLink(view, order, checkout_url, t(words), look);
  return {
    title,
    heading: leaving || wasOpened ? pulsing(title) : title,
    content: [payee(view, order)],
    waiting: waiting(view, order, null),
    // without a return URL the payment page leads nowhere
    ...(!leaving && (!isHere || offer?.return_url) && { hint: t(hint) }),
    ...checkOrOpen(view, order, wasOpened, link),
    ...(nothingOpened && {
      hint: t('popup_blocked'),
      secondary: [],
      rest: [resumeButton(view, order), elsewhere(view, code), ...lastRoads(view, order, null)],
    }),
    more: [
      code && !touch && !nothingOpened
        ? html`<p class="hint">${t('on_phone_hint')}</p>
            ${code}`
        : null,
      ...tools(view, order),
      orderNumber(view, order),
    ],
  };
};

/** The link as a code, for the customer's phone. */
const linkQr = (view: ViewContext, link: string): MaybeAction =>
  isSafeLink(link, view.linkSchemes) ? smallQr(view, link, view.t('qr_alt'), 'link-qr') : null;
