/** The screen when the second script could not be loaded: the state as title, and one action. */
import { html } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { offerOf } from '../checkout/flow.js';
import { button, returnLink, supportLink } from '../fragments/actions.js';
import { isSafePage } from '../fragments/external-link.js';
import { orderNumber, reference } from '../fragments/order-facts.js';
import type { Screen } from '../fragments/screen.js';
import type { LaterState, ViewContext } from '../fragments/view-context.js';

/**
 * Shows the link to pay. A link with the scheme of a wallet is not shown, because only the second
 * script has the list of safe schemes.
 */
function plainLink(view: ViewContext, order: Order): Screen {
  const { actions, t } = view;
  const action = order.next_action;
  const page = action?.kind === 'open_page' ? action.checkout_url : null;
  const wallet = action?.kind === 'open_wallet' ? action.wallet_url : null;
  const link = page ?? wallet ?? undefined;
  const isSafe = link !== undefined && URL.canParse(link) && isSafePage(new URL(link));
  return {
    title: t('awaiting'),
    primary: isSafe
      ? html`<a
          part="link"
          class="primary"
          href=${link}
          target="_blank"
          rel="noopener noreferrer"
          @click=${(event: Event) => actions.openLink(event, link, order)}
          >${t('open_page')}</a
        >`
      : null,
    footer: orderNumber(view, order),
  };
}

export function plain(view: ViewContext, state: LaterState): Screen {
  const { money, t } = view;
  // A reload requests the second script again, and the same attempt finds its order.
  const reload = button('reload', t('reload'), () => location.reload(), 'primary');
  if (!('order' in state))
    return {
      title: t('problem'),
      look: 'problem',
      primary: reload,
      secondary: [supportLink(view, offerOf(state)?.support_url, 'quiet')],
      footer: 'problem' in state ? reference(view, state.problem.reference) : null,
    };
  const { offer, order } = state;
  if (state.phase === 'awaiting_payment') return plainLink(view, state.order);
  const back = returnLink(offer?.return_url, t('return'), 'primary');
  const help = supportLink(view, offer?.support_url, 'primary');
  const isEnd = state.phase === 'succeeded' || state.phase === 'closed';
  return {
    title:
      order && state.phase === 'succeeded'
        ? t('succeeded', { amount: money(order.amount, order.currency) })
        : t(state.phase),
    primary: (isEnd ? back : null) ?? help ?? back ?? reload,
    footer: order && orderNumber(view, order),
  };
}
