/**
 * Each customer closes the tab right after paying, a part of the events is lost, and Medusa is
 * killed again and again. Every paid cart must become one order with one captured payment.
 */
import { createRandom, each } from '../proof.js';
import { sleep, until } from '../../suite/support/wait.js';
import type { World } from './world.js';
import type { Cart } from './storefront.js';

export type Sizes = { orders: number; kills: number; seed: number };

export type Result = {
  paid: number;
  kills: number;
  /** Paid carts with one order, one captured payment and one record of the money. */
  completed: number;
  /** Paid carts with two orders or more. */
  doubled: number;
  /** Paid carts without an order. */
  lost: number;
  /**
   * Paid carts whose order is not finished, or whose captured or recorded money is not the amount
   * that was paid.
   */
  half: number;
  /** Carts that nobody paid, and that have an order or a captured payment. */
  unpaid: number;
  /** Orders that a kill left without a cart, and that were canceled before the next was made. */
  canceled: number;
  /** What Medusa's database says of each cart that is not as it should be. */
  wrong: string[];
};

const CUSTOMERS_AT_ONCE = 4;
/** One customer in this many does not pay. */
const CUSTOMERS_PER_UNPAID = 11;
/** One customer in this many buys `fractionalPriceItem`, the others `uncountedItem`. */
const CUSTOMERS_PER_FRACTIONAL = 5;
const MAX_SETTLE_MS = 300_000;
/** The longest pause before a kill, so that kills come at many moments of an order. */
const MAX_PAUSE_MS = 1500;
/** No further order may appear within this time after the last start. */
const QUIET_MS = 10_000;

export type Sale = { cart: Cart; amount: string; paid: boolean };

/** @param first carts that were paid in a browser before; they count too */
export async function closeTheTabs(
  world: World,
  { kills, orders, seed }: Sizes,
  first: readonly Sale[],
): Promise<Result> {
  const { catalogue, choose, confirm, facts, medusa, storefront } = world;
  const random = createRandom(seed);
  const sales: Sale[] = [...first];
  const buy = async (index: number): Promise<void> => {
    const email = `customer-${index}@shop.example`;
    const variant =
      index % CUSTOMERS_PER_FRACTIONAL === 4
        ? catalogue.fractionalPriceItem
        : catalogue.uncountedItem;
    const cart = await storefront.fillCart(email, variant, 1 + (index % 3));
    const { amount, order_token } = await storefront.startPayment(cart);
    const order = await choose(order_token);
    const paid = index % CUSTOMERS_PER_UNPAID !== CUSTOMERS_PER_UNPAID - 1;
    if (paid) await confirm(order);
    sales.push({ cart, amount, paid });
  };
  let killed = 0;
  const killer = async (): Promise<void> => {
    for (let count = 1; count <= kills; count++) {
      // the kills divide the orders into equal parts
      const ordersBefore = (orders * count) / (kills + 1);
      const isReached = async (): Promise<boolean> => (await facts.completed()) >= ordersBefore;
      await until(isReached, `kill ${count}`, MAX_SETTLE_MS);
      await sleep(random.integer(MAX_PAUSE_MS));
      await medusa.kill();
      killed++;
      await medusa.start();
    }
  };
  const payers = orders - first.length;
  const customers = payers + Math.floor((payers - 1) / (CUSTOMERS_PER_UNPAID - 1));
  await Promise.all([each(customers, CUSTOMERS_AT_ONCE, buy), killer()]);
  // an order exists before its payment is captured
  const isSettled = async (): Promise<boolean> =>
    (await judge(world, sales, killed)).completed >= orders;
  await until(isSettled, 'the last order', MAX_SETTLE_MS).catch(() => {});
  // a Medusa that starts once more, and reconciles, must find nothing to do
  await medusa.kill();
  await medusa.start();
  await sleep(QUIET_MS);
  return judge(world, sales, killed);
}

async function judge({ facts }: World, sales: readonly Sale[], kills: number): Promise<Result> {
  const result: Result = {
    paid: 0,
    kills,
    completed: 0,
    doubled: 0,
    lost: 0,
    half: 0,
    unpaid: 0,
    canceled: 0,
    wrong: [],
  };
  for (const { amount, cart, paid } of sales) {
    const found = await facts.ofCart(cart);
    result.canceled += found.canceled;
    const what = `cart ${cart.id} of ${amount}, ${paid ? 'paid' : 'not paid'}`;
    const fault = `${what}: ${JSON.stringify(found)}`;
    if (!paid) {
      if (found.orders === 0 && found.captureCount === 0) continue;
      result.unpaid++;
      result.wrong.push(fault);
      continue;
    }
    result.paid++;
    const isWhole =
      found.finished === 1 &&
      found.captureCount === 1 &&
      isEqual(found.capturedSum, amount) &&
      isEqual(found.recordedSum, amount);
    if (found.linked === 0) result.lost++;
    else if (found.orders > 1 || found.linked > 1) result.doubled++;
    else if (!isWhole) result.half++;
    else {
      result.completed++;
      continue;
    }
    result.wrong.push(fault);
  }
  return result;
}

/** Medusa keeps more decimal places than the currency has, and rounds when it captures. */
const isEqual = (kept: string, paid: string): boolean => {
  const [whole = '', places = ''] = paid.split('.');
  return roundTo(kept, places.length) === `${whole}${places}`;
};

/** @returns the digits of the rounded decimal, without a point */
function roundTo(text: string, places: number): string {
  const [whole = '', rest = ''] = text.split('.');
  const digits = BigInt(whole + rest.padEnd(places, '0').slice(0, places));
  return String(digits + (Number(rest[places] ?? 0) >= 5 ? 1n : 0n));
}
