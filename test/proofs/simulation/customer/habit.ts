/** The types of a customer, and of the habit by which the customer acts. */
import type { Random } from '../chance.js';
import type { PageOrder, Purchase } from '../checker/facts.js';
import type { customerFaults } from '../faults/names.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Page } from './page.js';

/** What a customer can do. */
export type Customer = {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly page: Page;
  /** Opens another tab of the same purchase. */
  openTab(): Page;
  /** Pays at the bank with what the order shows; false when it shows nothing to pay with. */
  payAtBank(order: PageOrder): boolean;
  /** The bank declines the payment. */
  beDeclined(order: PageOrder): void;
  /** The shop's backend asks about this purchase, as when the customer returns to the shop. */
  returnToShop(): Promise<void>;
  /** The shop closes the intent, because it has sold the goods to somebody else. */
  closeByShop(): Promise<void>;
  /**
   * The basket changes: the shop closes the intent, and then signs a token of a new one.
   *
   * @returns the same customer with the new purchase; null when the page has no token, and when the
   *   shop does not know that the intent is closed
   */
  changeBasket(): Promise<Customer | null>;
  /** Orders that other customers were shown. */
  others(): readonly { order: PageOrder; purchase: Purchase }[];
  /** Tells the checker that this customer, a stranger to an order, was told about it. */
  reportLeak(what: string): void;
  /** Tells the checker that this customer was not told about an order to which it is a stranger. */
  reportRefusal(): void;
  touch(fault: (typeof customerFaults)[number]): void;
};

export type Habit = (customer: Customer) => Promise<void>;
