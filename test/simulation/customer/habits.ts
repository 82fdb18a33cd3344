/** What customers do, each by one habit. A new habit is a file here and a line in two lists. */
import type { Random } from '../chance.js';
import type { PageOrder, Purchase } from '../checker/facts.js';
import type { customerFaults } from '../faults/names.js';
import type { Scheduler } from '../time/scheduler.js';
import { changeBasket, soldOut } from './changing.js';
import { guess } from './guessing.js';
import type { HabitName } from './habit-names.js';
import type { Page } from './page.js';
import { abandon, decline, late, plain } from './paying.js';
import { doubleClick, reload, replay, tabs } from './repeating.js';
import { switchOption } from './switching.js';

/** A customer with what it can reach. */
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
  /** The shop closes the intent: it has sold the goods otherwise. */
  closeByShop(): Promise<void>;
  /**
   * The basket changes, and the shop signs a token that supersedes this one.
   *
   * @returns the same customer with the new purchase; null when the page has no token
   */
  changeBasket(): Customer | null;
  /** Orders that other customers were shown. */
  others(): readonly { order: PageOrder; purchase: Purchase }[];
  /** A stranger was told something. */
  tellStranger(what: string): void;
  tellRefused(): void;
  touch(fault: (typeof customerFaults)[number]): void;
};

export type Habit = (customer: Customer) => Promise<void>;

export const habits: Readonly<Record<HabitName, Habit>> = {
  plain,
  double_click: doubleClick,
  tabs,
  reload,
  replay,
  switch: switchOption,
  guess,
  late,
  decline,
  abandon,
  sold_out: soldOut,
  change_basket: changeBasket,
};
