/** Customers whose shop closes their intent, and customers who change their basket. */
import type { Habit } from './habit.js';
import { anyOption, order, payAndFollow, think } from './paying.js';

const MEAN_LATE_MS = 60_000;
const PATIENCE_MS = 60_000;

/** The goods are sold out while the customer has the code; the customer may pay before or after. */
export const soldOut: Habit = async (customer) => {
  const { page, random, scheduler } = customer;
  customer.touch('closed');
  const shown = random.chance(0.9) ? await order(customer) : null;
  if (!shown) return customer.closeByShop();
  const following = page.follow(shown, PATIENCE_MS);
  await think(customer);
  const paysBefore = random.chance(0.3);
  if (paysBefore) customer.payAtBank(shown);
  if (random.chance(0.5)) await think(customer);
  await customer.closeByShop();
  if (!paysBefore && random.chance(0.6)) {
    customer.touch('late_payment');
    await scheduler.sleep(random.wait(MEAN_LATE_MS));
    customer.payAtBank(shown);
  }
  // a page that does not know of the close asks for another code. It gets one when its shop could
  // not reach the relay to close the intent
  const option = anyOption(random);
  const replaced = random.chance(0.5) ? shown : undefined;
  if (replaced) customer.touch('switch');
  await page.pay(option, replaced);
  await following;
  await customer.returnToShop();
};

/** The basket changes once or twice; a phone may still pay for the old one. */
export const changeBasket: Habit = async (customer) => {
  const { random } = customer;
  customer.touch('basket_changed');
  let before = customer;
  let shown = await order(customer);
  for (let left = random.pick([1, 1, 2]); left > 0; left--) {
    await think(before);
    const next = await before.changeBasket();
    if (!next) break;
    const latest = await order(next);
    if (shown && random.chance(0.4)) {
      customer.touch('late_payment');
      customer.payAtBank(shown);
    }
    if (random.chance(0.5)) await before.page.pay(anyOption(random));
    before = next;
    shown = latest;
  }
  if (shown) await payAndFollow(before, shown);
  await customer.returnToShop();
};
