/**
 * The checkout page. The backend creates an order with a token for the basket; a reload or another
 * tab opens the same order, and a changed basket closes it.
 */
import { art } from './art.js';
import { frame } from './frame.js';
import { storeOrder, openedOrder, readBasket } from './browser-storage.js';
import { find, html, show, type Markup } from './markup.js';
import { money } from './money.js';
import { getOrder, orderNumber, placeOrder, ShopError, type ShopOrder } from './shop-api.js';
import { findProduct } from '../shop/products.js';

frame();
const place = find('#checkout', HTMLElement);
const thankYouUrl = (id: string): string => `/thank-you.html?order=${encodeURIComponent(id)}`;

/** Runs in one tab at a time, so that two tabs with the same basket open one order. */
const inOneTab = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? (navigator.locks.request('bean-leaf:order', work) as Promise<T>) : work();

async function openOrder(): Promise<ShopOrder | null> {
  const opened = openedOrder();
  const existing = opened?.current === true ? await getOrder(opened.id, 'token') : null;
  if (existing?.state === 'paid') {
    location.replace(thankYouUrl(existing.order_id));
    return null;
  }
  if (existing) return existing;
  const items = [...readBasket()].map(([sku, quantity]) => ({ sku, quantity }));
  const order = await placeOrder(items, opened?.id);
  if (order.order_id === opened?.id) {
    location.replace(thankYouUrl(order.order_id));
    return null;
  }
  storeOrder(order.order_id);
  return order;
}

const line = (
  { sku, name, size, quantity, sum }: ShopOrder['items'][number],
  currency: string,
): Markup => {
  const product = findProduct(sku);
  const tile = product
    ? html`<div class="tile small" data-tone="${product.tone}">${art(product)}</div>`
    : null;
  return html`<li>
    ${tile}
    <div class="what">
      <b>${name}</b><span>${size}${quantity > 1 && html` × ${quantity}`}</span>
    </div>
    <span class="money">${money(sum, currency)}</span>
  </li>`;
};

/** In a narrower place the order is folded into one line, so that the payment is in sight. */
const MAX_FOLDED_PX = 520;

const items = (order: ShopOrder): Markup =>
  html`<ul class="lines">
      ${order.items.map((item) => line(item, order.currency))}
    </ul>
    <p class="sum">
      <span>Total</span><span class="money">${money(order.amount, order.currency)}</span>
    </p>
    <p class="fine">
      Order <span class="code">${orderNumber(order.order_id)}</span> ·
      <a href="/basket.html">Change the basket</a>
    </p>`;

const folded = (order: ShopOrder): Markup => {
  const count = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
  return html`<details class="folded">
    <summary>
      ${count} ${count === 1 ? 'item' : 'items'} · ${money(order.amount, order.currency)}
    </summary>
    ${items(order)}
  </details>`;
};

function draw(order: ShopOrder, token: string): void {
  const isNarrow = place.clientWidth < MAX_FOLDED_PX;
  show(
    place,
    html`<section class="summary">
        <h1>Checkout</h1>
        ${
          isNarrow
            ? folded(order)
            : html`<h2>Your order</h2>
                ${items(order)}`
        }
      </section>
      <div class="pay"><p class="waiting-script">Loading the payment…</p></div>`,
  );
  const checkout = document.createElement('pay-checkout');
  checkout.setAttribute('order-token', token);
  checkout.setAttribute('return-url', order.return_url);
  checkout.addEventListener('pay-succeeded', () =>
    setTimeout(() => location.assign(thankYouUrl(order.order_id)), 1200),
  );
  checkout.addEventListener('pay-token-needed', () => {
    void getOrder(order.order_id, 'token')
      .then(
        (renewed) =>
          renewed?.order_token !== undefined &&
          checkout.setAttribute('order-token', renewed.order_token),
      )
      .catch(() => {});
  });
  find('.pay', HTMLElement, place).replaceChildren(checkout);
}

const showProblem = (message: string): void => {
  show(
    place,
    html`<div class="alone">
      <h1>Checkout</h1>
      <h2>The payment cannot start yet</h2>
      <p role="alert">${message}</p>
      <button class="button strong" data-again>Try again</button>
    </div>`,
  );
  find('[data-again]', HTMLButtonElement, place).addEventListener('click', () => void start());
};

async function start(): Promise<void> {
  place.setAttribute('aria-busy', 'true');
  try {
    const order = await inOneTab(openOrder);
    if (!order) return;
    if (order.order_token === undefined)
      showProblem('We cannot reach the payment service right now. Your order is kept.');
    else draw(order, order.order_token);
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    showProblem(error.message);
  } finally {
    place.removeAttribute('aria-busy');
  }
}

if (readBasket().size === 0)
  show(
    place,
    html`<div class="alone">
      <h1>Checkout</h1>
      <h2>There is nothing to pay</h2>
      <p>Your basket is empty.</p>
      <a class="button strong" href="/index.html">To the shelf</a>
    </div>`,
  );
else await start();
