/** A link to the wallet at `wallet_url`, and advice for when no wallet opens. */
import { html, nothing } from 'lit';
import { externalLink } from '../fragments/external-link.js';
import type { NextActionView } from './next-action-view.js';

export const openWallet: NextActionView<'open_wallet'> = {
  kind: 'open_wallet',
  title: 'awaiting',
  render: (view, order, { wallet_url }) =>
    html`<p class="hint">${view.t('open_wallet_hint')}</p>
      ${externalLink(view, order, wallet_url, view.t('open_wallet'), { onPhone: true })}
      ${view.linkOpened ? html`<p class="note">${view.t('wallet_nothing')}</p>` : nothing}`,
};
