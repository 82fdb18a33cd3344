/** Customers who try identifiers and keys of other people. */
import type { Habit } from './habit.js';
import { nameOf } from './page.js';
import { anyOption, order, payAndFollow } from './paying.js';

export const guess: Habit = async (customer) => {
  const { others, page, random } = customer;
  customer.touch('guess');
  const own = await order(customer);
  if (!own) return;
  const strangers = others();
  for (let left = random.between(2, 5); left > 0 && strangers.length > 0; left--) {
    const other = strangers[random.whole(strangers.length)];
    if (!other) break;
    const { intent_id, order_key, request_id } = other.order;
    const [name, path, body] = random.pick<[string, string, object]>([
      ['own key', '/v1/query', { ...nameOf(own), request_id }],
      ['resume', '/v1/checkout', { resume: { ...nameOf(own), request_id } }],
      ['their key', '/v1/query', { ...nameOf(own), order_key }],
      ['no secret', '/v1/query', { intent_id }],
      ['signal', `/v1/notify/${request_id}.${own.order_key}`, { status: 20, request_id }],
    ]);
    const answer = await page.send(path, body);
    if (!answer) continue;
    // /v1/notify acknowledges every signal, so its 200 tells nothing
    if (answer.status === 200 && name !== 'signal')
      customer.reportLeak(`${other.order.request_id} with ${name}`);
    else customer.reportRefusal();
  }
  // refused guesses must not change what this customer may do: the pay shows its order again
  await page.pay(anyOption(random));
  await payAndFollow(customer, own);
};
