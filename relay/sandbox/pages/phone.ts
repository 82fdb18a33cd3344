/** The customer's phone: confirms or declines a payment, lets it expire or pays it late. */
import { html, raw } from 'hono/html';
import type { Orders, SandboxOrder } from '../orders.js';
import { layout } from './layout.js';

type Html = ReturnType<typeof layout>;

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
      list.innerHTML = text;
    } catch {}
  }, 1000);
  document.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    await fetch(event.target.getAttribute('action'), { method: 'POST', body });
  })`;

export const phonePage = (orders: Orders): Html =>
  layout(
    'The customer’s phone',
    html`<h1>Your payments</h1>
      <div id="orders" data-version="${version(orders)}">${phoneOrders(orders)}</div>
      <script>
        ${raw(script)};
      </script>`,
  );

export const version = (orders: Orders): string =>
  orders
    .all()
    .map(({ order_no, status }) => `${order_no}:${status}`)
    .join();

export const phoneOrders = (orders: Orders): Html => {
  const shown = orders
    .all()
    .filter(({ kind }) => kind === 'pay')
    .slice(-20)
    .reverse();
  return shown.length === 0
    ? html`<p class="muted">No payment yet. Place an order in the shop: it appears here.</p>`
    : html`${shown.map((order) => card(order, orders))}`;
};

function card({ fields, order_no, status }: SandboxOrder, { statuses }: Orders): Html {
  const state =
    Object.entries(statuses).find(([, number]) => number === status)?.[0] ?? `status ${status}`;
  const button = (action: string, text: string, main = false): Html =>
    html`<button ${main ? html`class="main"` : ''} name="action" value="${action}">
      ${text}
    </button>`;
  const open = html`
    ${button('confirm', 'Confirm', true)} ${button('decline', 'Decline')}
    ${button('expire', 'Let expire')}
  `;
  const isOver = status !== statuses.created && status !== statuses.paid;
  return html`<section class="card">
    <p class="muted">${fields.product_name} · ${state}</p>
    <p class="amount">${fields.amount} ${fields.currency}</p>
    <form method="post" action="phone/orders/${order_no}">
      ${status === statuses.created ? open : ''} ${isOver ? button('pay_late', 'Pay late') : ''}
    </form>
  </section>`;
}
