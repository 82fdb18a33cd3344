/** The thank-you page. It shows the state that the backend reports, and none from its address. */
import { frame, showCount } from './frame.js';
import { removePaidOrder, openedOrder } from './browser-storage.js';
import { find, html, show, type Markup } from './markup.js';
import { money } from './money.js';
import { getOrder, orderNumber, type SeenOrder } from './shop-api.js';

frame();
const place = find('#result', HTMLElement);
const id = new URLSearchParams(location.search).get('order') ?? '';
const QUICK_INTERVAL_MS = 2000;
const SLOW_INTERVAL_MS = 10_000;
const MAX_QUICK_CHECKS = 60;

/** `not_begun`: not paid, and no payment was begun. */
const TEXTS: Record<SeenOrder['state'] | 'not_begun', { title: string; text: string }> = {
  paid: {
    title: 'Thank you',
    text: 'Your payment has arrived. We pack on Tuesday and post on Wednesday.',
  },
  waiting: {
    title: 'Waiting for your payment',
    text: 'It has not reached us yet. As soon as it does, this page says so by itself.',
  },
  not_paid: {
    title: 'Not paid',
    text: 'The payment did not go through. Your order is kept: you can pay another way.',
  },
  not_begun: {
    title: 'Not paid yet',
    text: 'No payment was begun for this order. It is kept for you.',
  },
  unknown: {
    title: 'We cannot tell yet',
    text:
      'We do not see right now what became of the payment. ' +
      'Please do not pay again: we keep looking.',
  },
};

const actions = ({ state, order_id }: SeenOrder): Markup => {
  if (state === 'paid')
    return html`<a class="button strong" href="/index.html">Back to the shelf</a>`;
  const opened = openedOrder();
  // the checkout page opens only the order of the present basket
  return opened?.id === order_id && opened.current && state !== 'unknown'
    ? html`<a class="button ${state === 'not_paid' ? 'strong' : ''}" href="/checkout.html"
        >To the payment</a
      >`
    : html`<a class="button" href="/index.html">Back to the shelf</a>`;
};

let shown = '';
function draw(order: SeenOrder): void {
  const key = order.state === 'not_paid' && !order.placed ? 'not_begun' : order.state;
  // without a change, drawing would only make screen readers repeat the page
  if (key === shown) return;
  shown = key;
  const { title, text } = TEXTS[key];
  document.title = `${title} · Bean & Leaf`;
  place.dataset.state = order.state;
  show(
    place,
    html`<div class="alone">
      <p class="sign" aria-hidden="true"></p>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      <ul class="lines">
        ${order.items.map(
          ({ name, size, quantity, sum }) =>
            html`<li>
              <div class="what">
                <b>${name}</b><span>${size}${quantity > 1 && html` × ${quantity}`}</span>
              </div>
              <span class="money">${money(sum, order.currency)}</span>
            </li>`,
        )}
      </ul>
      <p class="sum">
        <span>Total</span><span class="money">${money(order.amount, order.currency)}</span>
      </p>
      <p class="fine">Order <span class="code">${orderNumber(order.order_id)}</span></p>
      <p class="go">${actions(order)}</p>
    </div>`,
  );
}

function showNoSuchOrder(): void {
  show(
    place,
    html`<div class="alone">
      <h1>No such order</h1>
      <p class="lead">
        This shop knows no order by that number. If you have paid, write to us: we find it.
      </p>
      <p class="go"><a class="button strong" href="/index.html">Back to the shelf</a></p>
    </div>`,
  );
}

let checks = 0;
async function checkOrder(): Promise<void> {
  checks += 1;
  const order = await getOrder(id, 'state').catch(() => undefined);
  if (order === null) {
    showNoSuchOrder();
    return;
  }
  if (order) draw(order);
  if (order?.state === 'paid') {
    removePaidOrder(order.order_id);
    showCount();
    return;
  }
  setTimeout(
    () => void checkOrder(),
    checks < MAX_QUICK_CHECKS ? QUICK_INTERVAL_MS : SLOW_INTERVAL_MS,
  );
}
if (id === '') showNoSuchOrder();
else await checkOrder();
