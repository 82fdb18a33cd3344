/** The checkout: the backend signs a token for the basket; a reload asks for the same order again. */
import { readBasket } from './basket-store.js';
import { escape, find, frame } from './frame.js';
import { rubles } from './rubles.js';
import { getOrder, placeOrder, type ShopOrder } from './shop-api.js';

frame();
const KEY = 'bean-leaf:order';
const place = find('#checkout', HTMLElement);

async function open(): Promise<ShopOrder | null> {
  const known = sessionStorage.getItem(KEY);
  const order = known === null ? null : await getOrder(known);
  if (order) return order;
  const items = Object.entries(readBasket()).map(([sku, quantity]) => ({ sku, quantity }));
  return items.length === 0 ? null : placeOrder(items);
}

const order = await open();
if (!order) {
  place.innerHTML = '<p class="lead">There is nothing to pay.</p><a class="button" href="/index.html">Back to the shop</a>';
} else if (order.order_token === undefined) {
  location.replace(`/thank-you.html?order=${order.order_id}`);
} else {
  sessionStorage.setItem(KEY, order.order_id);
  const rows = order.items.map(
    ({ name, quantity, sum }) => `<tr><td>${escape(name)} × ${quantity}</td><td class="money">${rubles(sum)}</td></tr>`,
  );
  place.innerHTML = `<section><h2>Your order</h2><table><tbody>${rows.join('')}</tbody><tfoot><tr><td>Total</td><td class="money">${rubles(order.amount)}</td></tr></tfoot></table></section><div class="pay-column"></div>`;
  const checkout = document.createElement('pay-checkout');
  checkout.setAttribute('order-token', order.order_token);
  checkout.addEventListener('pay-succeeded', () => location.assign(`/thank-you.html?order=${order.order_id}`));
  find('.pay-column', HTMLElement).append(checkout);
}
