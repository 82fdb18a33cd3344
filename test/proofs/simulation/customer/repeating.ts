/** Customers who do the same thing twice: clicks, tabs, reloads and replays of old requests. */
import type { Habit } from './habit.js';
import { isOrder } from './page.js';
import { anyOption, order, payAndFollow, think } from './paying.js';

export const doubleClick: Habit = async (customer) => {
  const { openTab, page, random } = customer;
  customer.touch('tabs');
  await page.checkout();
  const clicks = Array.from({ length: random.between(2, 4) }, () =>
    openTab().pay(anyOption(random)),
  );
  const found = (await Promise.all(clicks)).find(isOrder) ?? (await page.payPatiently('qr'));
  if (found) await payAndFollow(customer, found);
};

export const tabs: Habit = async (customer) => {
  const { openTab, random, scheduler } = customer;
  customer.touch('tabs');
  const first = await order(customer);
  if (!first) return;
  const other = openTab();
  await scheduler.sleep(random.wait(4000));
  await other.checkout();
  const second = await other.payPatiently(anyOption(random));
  const watching = other.follow(second ?? first, 60_000);
  await payAndFollow(customer, random.chance(0.5) ? first : (second ?? first));
  await watching;
};

export const reload: Habit = async (customer) => {
  const { openTab, page, random } = customer;
  customer.touch('reload');
  await page.checkout();
  // the page is reloaded while its pay is under way
  const placing = page.pay(anyOption(random));
  if (random.chance(0.5)) await placing;
  const shown = await openTab().checkout();
  const again = isOrder(shown) ? shown : await openTab().payPatiently(anyOption(random));
  await placing;
  if (!again) return;
  await payAndFollow(customer, again);
  await openTab().checkout();
};

export const replay: Habit = async (customer) => {
  const { openTab, page, random, scheduler } = customer;
  customer.touch('replayed_pay');
  const shown = await order(customer);
  if (!shown) return;
  await think(customer);
  await page.pay(anyOption(random));
  await payAndFollow(customer, shown);
  await scheduler.sleep(random.wait(5 * 60_000));
  await openTab().pay(anyOption(random));
};
