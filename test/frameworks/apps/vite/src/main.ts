import 'pay-checkout/define';

const asked = new URLSearchParams(location.search);
const element = document.createElement('pay-checkout');
element.relay = asked.get('relay') ?? '';
element.orderToken = asked.get('token') ?? '';
// @ts-expect-error: no theme of this name
element.theme = 'neon';
element.theme = 'auto';

const heard = document.createElement('output');
heard.id = 'heard';
element.addEventListener('pay-succeeded', (event) => {
  // @ts-expect-error: an order has no such field
  void event.order.nothing;
  heard.textContent = event.order.request_id;
});
document.body.append(element, heard);
