/** The pages of checkout_url and wallet_url: they pay or decline, then redirect to return_url. */
import { html } from 'hono/html';
import { moneyText } from '../../contract/money-text.js';
import type { SandboxOrder } from '../orders.js';
import { layout, type Html } from './layout.js';

export const pageKinds = ['checkout', 'account', 'wallet'] as const;
type PageKind = (typeof pageKinds)[number];

const words: Record<PageKind, { title: string; pay: string; decline: string }> = {
  checkout: { title: 'Payment page', pay: 'Pay', decline: 'Decline' },
  account: { title: 'Bank transfer', pay: 'I have paid', decline: 'Cancel' },
  wallet: { title: 'Wallet', pay: 'Confirm payment', decline: 'Decline' },
};

export function orderPage(
  kind: PageKind,
  { fields, order_no }: SandboxOrder,
  merchantName: string,
): Html {
  const { title, pay, decline } = words[kind];
  const details =
    kind === 'account'
      ? html`<dl>
          <dt>Bank</dt>
          <dd>Sandbox Bank</dd>
          <dt>Account</dt>
          <dd>XS12 0000 ${order_no.slice(1, 5)} ${order_no.slice(5)}</dd>
          <dt>Reference</dt>
          <dd>${order_no}</dd>
        </dl>`
      : '';
  return layout(
    title,
    html`<h1>${title}</h1>
      <section class="card">
        <h2>Pay ${merchantName}</h2>
        <p class="amount">${moneyText(fields.amount ?? '', fields.currency ?? '', 'en')}</p>
        <p class="muted">${fields.product_name}</p>
        <p class="muted">${fields.remark ?? ''}</p>
        ${details}
        <form method="post">
          <button class="main" name="action" value="confirm">${pay}</button>
          <button name="action" value="decline">${decline}</button>
        </form>
      </section>`,
  );
}

export const donePage = (): Html =>
  layout(
    'Done',
    html`<h1>Thank you</h1>
      <p>You can close this window and go back to the shop.</p>`,
  );
