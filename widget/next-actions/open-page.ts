/** A link to the payment page at `checkout_url`. */
import { html } from 'lit';
import { externalLink } from '../fragments/external-link.js';
import type { NextActionView } from './next-action-view.js';

export const openPage: NextActionView<'open_page'> = {
  kind: 'open_page',
  title: 'awaiting',
  render: (view, order, { checkout_url }) =>
    html`<p class="hint">
        ${view.t(view.openTarget === 'same-tab' ? 'open_page_hint_here' : 'open_page_hint')}
      </p>
      ${externalLink(view, order, checkout_url, view.t('open_page'), { onPhone: false })}`,
};
