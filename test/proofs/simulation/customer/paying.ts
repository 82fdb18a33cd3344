/** Customers who pay soon, late, not at all, or whose bank declines. */
import type { Random } from '../chance.js';
import { OPTIONS } from '../machine/shop-config.js';
import type { PageOrder } from '../checker/facts.js';
import type { Customer, Habit } from './habit.js';

const MEAN_THINK_MS = 12_000;
const PATIENCE_MS = 4 * 60_000;
const SHORT_PATIENCE_MS = 30_000;

export const anyOption = (random: Random): string => random.pick(OPTIONS);
export const think = ({ random, scheduler }: Customer): Promise<void> =>
  scheduler.sleep(500 + random.wait(MEAN_THINK_MS));

/** Opens the page, and places the order. */
export async function order(customer: Customer): Promise<PageOrder | null> {
  const { page, random } = customer;
  await page.checkout();
  return page.payPatiently(anyOption(random));
}

/** Pays an order while the page follows it, and returns to the shop. */
export async function payAndFollow(customer: Customer, shown: PageOrder): Promise<PageOrder> {
  const { page } = customer;
  const following = page.follow(shown, PATIENCE_MS);
  await think(customer);
  customer.payAtBank(shown);
  const latest = await following;
  await customer.returnToShop();
  return latest;
}

export const plain: Habit = async (customer) => {
  const shown = await order(customer);
  if (shown) await payAndFollow(customer, shown);
};

/** The page is left, perhaps opened again, and a phone pays the code minutes or hours later. */
export const late: Habit = async (customer) => {
  const shown = await order(customer);
  if (!shown) return;
  customer.touch('late_payment');
  await customer.page.follow(shown, SHORT_PATIENCE_MS);
  const { openTab, random, scheduler } = customer;
  await scheduler.sleep(random.pick([3, 12, 45, 90]) * 60_000 * (0.5 + random.next()));
  // a code that has expired meanwhile must not be shown again
  if (random.chance(0.5)) await openTab().checkout();
  customer.payAtBank(shown);
};

export const decline: Habit = async (customer) => {
  const shown = await order(customer);
  if (!shown) return;
  const following = customer.page.follow(shown, PATIENCE_MS);
  await think(customer);
  customer.beDeclined(shown);
  await following;
  // a declined code may still be paid, by another phone
  if (!customer.random.chance(0.7)) return;
  await think(customer);
  customer.payAtBank(shown);
  await customer.page.follow(shown, SHORT_PATIENCE_MS);
};

export const abandon: Habit = async (customer) => {
  const shown = await order(customer);
  if (shown) await customer.page.follow(shown, SHORT_PATIENCE_MS);
};
