/** The thank-you page believes the relay, through the shop's backend, and nothing in its own address. */
import { emptyBasket } from './basket-store.js';
import { escape, find, frame, showCount } from './frame.js';
import { rubles } from './rubles.js';
import { getOrder } from './shop-api.js';

frame();
const place = find('#result', HTMLElement);
const id = new URLSearchParams(location.search).get('order') ?? '';

const words = {
  paid: ['Thank you', 'Your payment has arrived. We are packing.'],
  waiting: ['We are waiting for your payment', 'As soon as it arrives, this page changes by itself.'],
  not_paid: ['Not paid', 'The payment did not go through. You can choose another way to pay.'],
  not_started: ['Not paid yet', 'No payment was started for this order.'],
  unknown: ['One moment', 'We cannot see the payment right now, and keep looking.'],
} as const;

async function draw(): Promise<void> {
  const order = await getOrder(id);
  if (!order) {
    place.innerHTML = '<h1>No such order</h1><a class="button" href="/index.html">Back to the shop</a>';
    return;
  }
  const state = order.state ?? 'unknown';
  const [title, text] = words[state];
  place.dataset.state = state;
  const back =
    state === 'paid'
      ? '<a class="button" href="/index.html">Back to the shop</a>'
      : '<a class="button" href="/checkout.html">To the payment</a>';
  place.innerHTML = `<h1>${title}</h1><p class="lead">${text}</p><p>Order <span class="money">${escape(order.order_id)}</span>, ${rubles(order.amount)}</p>${back}`;
  if (state === 'paid') {
    emptyBasket();
    sessionStorage.removeItem('bean-leaf:order');
    showCount();
  } else setTimeout(() => void draw(), 2000);
}
void draw();
