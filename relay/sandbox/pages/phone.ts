/** The customer's phone: a person confirms, declines, lets expire or pays late. */
import { html, raw } from 'hono/html';
import type { Orders, SandboxOrder } from '../orders.js';
import { layout } from './layout.js';

type Html = ReturnType<typeof layout>;

/** Reloads the list when it changed; a page without scripts is reloaded by hand. */
const script = `let shown=document.querySelector('#orders').dataset.version;
setInterval(async()=>{try{const r=await fetch('phone/orders');const t=await r.text();const v=r.headers.get('x-version');
if(v!==shown){shown=v;document.querySelector('#orders').innerHTML=t}}catch{}},1000);
document.addEventListener('submit',async(e)=>{e.preventDefault();const f=new FormData(e.target,e.submitter);await fetch(e.target.getAttribute('action'),{method:'POST',body:new URLSearchParams(f)})})`;

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
