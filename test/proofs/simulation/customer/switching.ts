/** Customers who change the way to pay, and pay with the old code, the new one, or both. */
import type { Habit } from './habit.js';
import { anyOption, order, payAndFollow, think } from './paying.js';

export const switchOption: Habit = async (customer) => {
  const { page, random } = customer;
  customer.touch('switch');
  const shown = [await order(customer)];
  let remainingSwitches = random.pick([1, 1, 1, 2, 5]);
  for (; remainingSwitches > 0; remainingSwitches--) {
    const current = shown.at(-1);
    if (!current) return;
    await think(customer);
    const next = await page.payPatiently(anyOption(random), current);
    if (!next) break;
    shown.push(next);
  }
  const last = shown.at(-1);
  const old = shown.at(-2);
  if (!last) return;
  if (old && random.chance(0.4)) {
    // a phone still shows the old code
    customer.touch('late_payment');
    customer.payAtBank(old);
    if (random.chance(0.5)) return void (await page.follow(last, 60_000));
  }
  await payAndFollow(customer, last);
};
