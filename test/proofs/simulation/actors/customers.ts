/** The customers of all shops, each with its habit. */
import type { Random } from '../chance.js';
import { linkText, type PageOrder, type Purchase } from '../checker/facts.js';
import type { Customer } from '../customer/habit.js';
import { habits } from '../customer/habits.js';
import { createPage, isOrder, type Page } from '../customer/page.js';
import type { CustomerPlan } from '../plan.js';
import type { BookOrder } from '../service/book.js';
import { STATUS } from '../service/statuses.js';
import { newPurchase } from '../shop/purchase.js';
import type { Shop, World } from '../world.js';
import type { Actor } from './actor.js';

export const customers: Actor = async (world) => {
  const shown: Shown[] = [];
  await Promise.all(world.plan.customers.map((plan) => runCustomer(world, plan, shown)));
};

/** Orders that customers were shown, for those who guess. */
type Shown = { order: PageOrder; purchase: Purchase };

async function runCustomer(world: World, plan: CustomerPlan, shown: Shown[]): Promise<void> {
  const { chance, scheduler, shops } = world;
  await scheduler.sleep(plan.at);
  const shop = shops.get(plan.shop);
  if (!shop) return;
  const random = chance('customer', plan.id);
  const purchase = newPurchase(plan, shop.setup, random, scheduler.now());
  const customer = customerOf({ world, shop, plan, random, shown }, purchase);
  const closing = chance('closing', plan.id);
  if (closing.chance(CLOSED_PART))
    scheduler.after(closing.wait(MEAN_CLOSING_MS), () => {
      customer.touch('closed');
      void customer.closeByShop();
    });
  await habits[plan.habit](customer);
}

/** The share of customers, of every habit, whose shop closes the intent at some moment. */
const CLOSED_PART = 0.05;
const MEAN_CLOSING_MS = 40_000;

type CustomerContext = {
  world: World;
  shop: Shop;
  plan: CustomerPlan;
  random: Random;
  shown: Shown[];
};

/** The customer with one purchase; a changed basket is another purchase of the same customer. */
function customerOf(context: CustomerContext, purchase: Purchase): Customer {
  const { plan, random, shop, shown, world } = context;
  const { checker, scheduler } = world;
  checker.tell({ kind: 'purchase', purchase });
  let tabs = 0;
  let baskets = 0;
  return {
    random,
    scheduler,
    page: openPage(world, shop, purchase, 0),
    openTab: () => openPage(world, shop, purchase, ++tabs),
    payAtBank: (order) => {
      shown.push({ order, purchase });
      return changeAtBank(world, order, STATUS.paid);
    },
    beDeclined: (order) => void changeAtBank(world, order, STATUS.declined),
    returnToShop: async () => {
      const { intentId } = purchase;
      if (intentId !== null) await shop.backend.ask({ intent_id: intentId }, purchase);
    },
    closeByShop: async () => {
      if (purchase.intentId !== null) await shop.backend.close(purchase.intentId);
    },
    changeBasket: async () => {
      if (purchase.token === null || purchase.intentId === null) return null;
      if (!(await shop.backend.close(purchase.intentId))) return null;
      const id = `${purchase.id}-${++baskets}`;
      const now = scheduler.now();
      const next = newPurchase({ ...plan, id }, shop.setup, random, now);
      next.touched.add('basket_changed');
      return customerOf(context, next);
    },
    others: () => shown.filter((each) => each.purchase !== purchase),
    reportLeak: (what) => checker.tell({ kind: 'stranger_told', shop: plan.shop, what }),
    reportRefusal: () => checker.tell({ kind: 'stranger_refused', purchase }),
    touch: (fault) => purchase.touched.add(fault),
  };
}

const openPage = (
  world: World,
  { deployment, setup }: Shop,
  purchase: Purchase,
  tab: number,
): Page =>
  createPage({
    scheduler: world.scheduler,
    history: world.history,
    checker: world.checker,
    deployment,
    setup,
    random: world.chance('page', purchase.id, tab),
    purchase,
    isCalm: world.isCalm,
  });

/** Finds the order that a link or a code pays; without both, the service's e-mail names it. */
function orderToPay({ service }: World, order: PageOrder): BookOrder | undefined {
  const link = linkText(order);
  const number = link === null ? undefined : /N\d{6}/.exec(link)?.[0];
  if (number !== undefined) return service.book.byNumber(number);
  return service.book.byRequest(order.request_id)[0];
}

function changeAtBank(world: World, order: PageOrder, status: number): boolean {
  const found = orderToPay(world, order);
  if (!found || !world.service.takesPayment(found)) return false;
  if (found.status !== STATUS.paid) world.service.change(found, status);
  return true;
}

const MEAN_RETURN_MS = 4 * 60_000;
const MAX_RETURNS = 20;
const RETURN_PAUSE_MS = 60_000;
/** Each question of the backend finds one more order that a backup lacks. */
const MAX_ORDERS_OF_INTENT = 20;
/** The number of the tab of a customer who comes back; other tabs count up from 1. */
const RETURNED_TAB = 1000;

/**
 * Comes back until the page shows an order. A restored relay finds a lost order when its customer
 * returns, and no relay may run at first.
 */
async function findAgain(page: Page, { scheduler }: World): Promise<PageOrder | null> {
  for (let left = MAX_RETURNS; left > 0; left--) {
    const told = await page.checkout();
    const order = isOrder(told) ? told : await page.payPatiently('qr');
    if (order) return order;
    await scheduler.sleep(RETURN_PAUSE_MS);
  }
  return null;
}

/** Customers whose orders a backup lacks come back, each after a random time. */
export function comeBack(world: World, shopName: string, requestIds: readonly string[]): void {
  const { chance, checker, scheduler, shops } = world;
  const shop = shops.get(shopName);
  const purchases = new Set(requestIds.map((id) => checker.known.purchaseOfRequest(id)));
  for (const purchase of purchases) {
    if (!purchase || !shop) continue;
    const random = chance('return', purchase.id);
    const comeBackLater = async (): Promise<void> => {
      await scheduler.sleep(random.wait(MEAN_RETURN_MS));
      const page = openPage(world, shop, purchase, RETURNED_TAB);
      const order = await findAgain(page, world);
      const { intentId } = purchase;
      if (!order || intentId === null) return;
      for (let left = MAX_ORDERS_OF_INTENT; left > 0; left--)
        await shop.backend.ask({ intent_id: intentId });
    };
    void comeBackLater();
  }
}
