/** The page of the customer’s phone: the current payment, and buttons that change any payment. */
import { html, raw } from 'hono/html';
import { moneyText } from '../../contract/money-text.js';
import type { Action, Orders, SandboxOrder, Statuses } from '../orders.js';
import { layout, type Html } from './layout.js';

const MAX_SHOWN = 20;

/** Reloads the list after a change. Without scripts, the customer reloads the page. */
const script = `
  const list = document.querySelector('#orders');
  let shown = list.dataset.version;
  setInterval(async () => {
    try {
      const response = await fetch('phone/orders');
      const text = await response.text();
      const version = response.headers.get('x-version');
      if (version === shown) return;
      shown = version;
      const hadFocus = list.contains(document.activeElement);
      list.innerHTML = text;
      if (hadFocus) list.focus();
    } catch {}
  }, 1000);
  document.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    await fetch(event.target.getAttribute('action'), { method: 'POST', body });
  })`;

export const phonePage = (orders: Orders, merchantName: string): Html =>
  layout(
    'The customer’s phone',
    html`<h1>Your bank</h1>
      <div id="orders" tabindex="-1" data-version="${version(orders)}">
        ${phoneOrders(orders, merchantName)}
      </div>
      <script>
        ${raw(script)};
      </script>`,
    'Sandbox',
  );

export const version = (orders: Orders): string =>
  orders
    .all()
    .map(({ order_no, status }) => `${order_no}:${status}`)
    .join();

export function phoneOrders(orders: Orders, merchantName: string): Html {
  const shown = orders
    .all()
    .filter(({ kind }) => kind === 'pay')
    .slice(-MAX_SHOWN)
    .reverse();
  const [latest, ...others] = shown;
  if (!latest)
    return html`<p class="muted">No payment yet. Place an order in the shop: it appears here.</p>`;
  const isOpen = latest.status === orders.statuses.created;
  const earlier = isOpen ? others : shown;
  return html`${isOpen ? currentPayment(latest, merchantName) : ''}
  ${earlier.length > 0 ? earlierPayments(earlier, orders) : ''}`;
}

const amountOf = ({ fields: { amount = '', currency = '' } }: SandboxOrder): string =>
  moneyText(amount, currency, 'en');

const button = (action: Action, text: string, className = ''): Html =>
  html`<button class="${className}" name="action" value="${action}">${text}</button>`;

const currentPayment = (order: SandboxOrder, merchantName: string): Html =>
  html`<section class="card now" aria-labelledby="now">
    <h2 id="now">Pay ${merchantName}</h2>
    <p class="amount">${amountOf(order)}</p>
    <p class="muted">${order.fields.product_name}</p>
    <dl>
      <dt>With</dt>
      <dd>${methodWords(order)}</dd>
      <dt>Payment no.</dt>
      <dd>${order.order_no}</dd>
    </dl>
    <form method="post" action="phone/orders/${order.order_no}">
      ${button('confirm', 'Confirm payment', 'main')}
      <h3>Simulate</h3>
      ${button('decline', 'Decline')} ${button('expire', 'Expire')}
    </form>
  </section>`;

const earlierPayments = (earlier: readonly SandboxOrder[], orders: Orders): Html =>
  html`<section aria-labelledby="earlier">
    <h2 id="earlier">Earlier payments</h2>
    <ul>
      ${earlier.map((order) => earlierPayment(order, orders))}
    </ul>
  </section>`;

function earlierPayment(order: SandboxOrder, { statuses }: Orders): Html {
  const { fields, order_no, status } = order;
  const isOpen = status === statuses.created;
  const actions = isOpen
    ? html`${button('confirm', 'Pay this one')} ${button('decline', 'Decline')}`
    : button('pay_late', 'Pay it late');
  return html`<li class="card">
    <p><b>${amountOf(order)}</b> · ${stateWords(order, statuses)}</p>
    <p class="muted">${fields.product_name}</p>
    <p class="muted">${methodWords(order)} · Payment no. ${order_no}</p>
    ${
      status === statuses.paid
        ? ''
        : html`<form method="post" action="phone/orders/${order_no}">
            <h3>Simulate</h3>
            ${actions}
          </form>`
    }
  </li>`;
}

const TYPES: Readonly<Record<string, string>> = {
  qrcode: 'QR code',
  wallet: 'Wallet',
  virtual_account: 'Bank transfer',
};

/** Names of channels; any other channel is shown by its own text. */
const CHANNELS: Readonly<Record<string, string>> = {
  sbp: 'SBP',
  sbp_qr: 'SBP',
  sber_bank: 'SberPay',
  bank_page: 'Bank’s page',
  pix: 'Pix',
  qris: 'QRIS',
  promptpay: 'PromptPay',
  vietqr: 'VietQR',
  paynow: 'PayNow',
  khqr: 'KHQR',
};

const named = (names: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(names, value) ? names[value] : undefined) ?? value.replaceAll('_', ' ');

/** The way to pay, such as "SBP, QR code"; a channel with the name of its type is not repeated. */
export function methodWords({ fields }: Pick<SandboxOrder, 'fields'>): string {
  const { pay_currency, payment_channel = '', payment_method, payment_type = '' } = fields;
  if (payment_method === 'on_line') return 'Payment page';
  if (payment_method === 'on_chain')
    return pay_currency === undefined ? 'Crypto' : `Crypto, ${pay_currency}`;
  const [channel, type] = [named(CHANNELS, payment_channel), named(TYPES, payment_type)];
  return channel.toLowerCase() === type.toLowerCase() ? type : `${channel}, ${type}`;
}

const STATES: Readonly<Record<keyof Statuses, string>> = {
  created: 'Not paid yet',
  paid: 'Paid',
  declined: 'Declined',
  expired: 'Expired',
};

function stateWords({ status }: Pick<SandboxOrder, 'status'>, statuses: Statuses): string {
  for (const [state, words] of Object.entries(STATES))
    if (statuses[state as keyof Statuses] === status) return words;
  return `Status ${status}`;
}
