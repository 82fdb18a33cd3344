/** `wallet_url` came: a real link to the wallet. */
import { html } from 'lit';
import { externalLink } from '../../fragments/external-link.js';
import type { NextActionView } from '../next-action-view.js';

export const openWallet: NextActionView<'open_wallet'> = {
  kind: 'open_wallet',
  title: 'awaiting',
  render: (view, order, { wallet_url }) =>
    html`<p class="hint">${view.t('open_wallet_hint')}</p>
      ${externalLink(view, order, wallet_url, view.t('open_wallet'))}`,
};
