/** The QR code of `qrcode_string`, and its text for customers who cannot scan it. */
import { html } from 'lit';
import { copyButton } from '../fragments/copy-field.js';
import { qrWithTools } from '../fragments/qr.js';
import type { NextActionView } from './next-action-view.js';

export const scanQr: NextActionView<'scan_qr'> = {
  kind: 'scan_qr',
  title: 'scan',
  render: (view, order, { qrcode_string }) => {
    const code = qrWithTools(
      view,
      qrcode_string,
      `${view.t('qr_alt')}: ${view.money(order.amount, order.currency)}`,
    );
    return html`${
        code
          ? html`${code}
              <p class="hint">${view.t('scan_hint')}</p>`
          : html`<p class="hint">${view.t('qr_too_long')}</p>
              <output class="value payload" tabindex="0" translate="no" dir="ltr"
                >${qrcode_string}</output
              >`
      }
      <div class="centred">${copyButton(view, '', qrcode_string, view.t('copy_code'))}</div>`;
  },
};
