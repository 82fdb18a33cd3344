import 'pay-checkout/define';

const query = new URLSearchParams(location.search);
const element = document.createElement('pay-checkout');
element.relay = 'http://localhost:8787';
element.orderToken = query.get('token') ?? '';
// @ts-expect-error: no theme of this name
element.theme = 'neon';
element.theme = 'auto';

const paidOrder = document.createElement('output');
paidOrder.id = 'paid-order';
element.addEventListener('pay-succeeded', (event) => {
  // @ts-expect-error: an order has no such field
  void event.order.nothing;
  paidOrder.textContent = event.order.request_id;
});
document.body.append(element, paidOrder);
