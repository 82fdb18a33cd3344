/**
 * The ledger: every write is one atomic statement or transaction, so several relays may share it.
 */
import type {
  DepositAddressRow,
  EventPlace,
  IntentRow,
  NewShopEvent,
  OrderRow,
  ResolutionRow,
  ShopEventRow,
} from './rows.js';

/** The form of the ledger's tables; a relay refuses a ledger with a higher number. */
export const GENERATION = 2;

/** Thrown when a newer relay changed the ledger's form: this relay places no order any more. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  constructor(found: string) {
    super(
      `the ledger has generation ${found}, and this relay knows ${GENERATION}: ` +
        'install the version of the relay that last used this ledger, or a newer one',
    );
  }
}

/** Thrown when the ledger's file was removed or replaced: what is written would be lost. */
export class LedgerGoneError extends Error {
  override readonly name = 'LedgerGoneError';
}

/** This relay places no order any more: only another start can mend it. */
export const isUnusable = (error: unknown): error is GenerationError | LedgerGoneError =>
  error instanceof GenerationError || error instanceof LedgerGoneError;

/** Thrown when the ledger cannot be written now, because another process holds its lock. */
export class LedgerBusyError extends Error {
  override readonly name = 'LedgerBusyError';
}

/** An order to place. `after`: the order that it replaces; null: the intent has none yet. */
export type Claim = {
  /** Written unless its id is known. */
  readonly intent: IntentRow;
  readonly order: OrderRow;
  readonly after: string | null;
  /** The browser's key that leads to the intent. */
  readonly attempt?: string | undefined;
};

/** `intent` and `order` are those that stand now; `order` is null when the intent has none. */
export type Claimed = {
  readonly claimed: boolean;
  readonly intent: IntentRow;
  readonly order: OrderRow | null;
};

/** @param intent as it stands in the transaction, its first payment noted */
export type EventsFor = (intent: IntentRow, place: EventPlace) => readonly NewShopEvent[];

export type Ledger = {
  /**
   * Opens the intent and makes `order` its current one, if the current one is still `after`, the
   * content is the same, and nothing is paid. Exactly one of many callers wins.
   * @throws GenerationError, LedgerGoneError, LedgerBusyError
   */
  claimOrder(claim: Claim): Promise<Claimed>;
  intent(intentId: string): Promise<IntentRow | null>;
  /** The intent that an attempt leads to. */
  intentOf(attempt: string): Promise<string | null>;
  order(requestId: string): Promise<OrderRow | null>;
  /** All orders of an intent, the first one first. */
  ordersOf(intentId: string): Promise<OrderRow[]>;
  /**
   * Writes `order` if the stored row still has the version before `order.version`; false when
   * another writer was faster. In the same transaction the intent's first payment is noted, the
   * events that `eventsFor` gives are written, and so is `resolution`.
   */
  replaceOrder(
    order: OrderRow,
    eventsFor?: EventsFor,
    resolution?: ResolutionRow,
  ): Promise<boolean>;
  /**
   * Claims an order anew whose request never arrived. False when another writer was faster, the
   * intent was paid, or another order is current.
   * @throws GenerationError, LedgerGoneError, LedgerBusyError
   */
  reclaimOrder(order: OrderRow): Promise<boolean>;
  /** Leases events that are due, the longest due first: no two relays get the same. */
  leaseDueEvents(now: number, until: number, limit: number): Promise<ShopEventRow[]>;
  /** Records a delivery: done, or to be tried again at `nextTryAt` (null: given up). */
  recordDelivery(
    eventId: string,
    outcome: { deliveredAt: number } | { nextTryAt: number | null },
  ): Promise<void>;
  /** Events not yet delivered nor given up, and when the oldest was written. */
  outbox(): Promise<{ waiting: number; oldest: number | null }>;
  /** Leases orders whose next check is due, the longest due first: no two relays get the same. */
  leaseDueOrders(now: number, until: number, limit: number): Promise<OrderRow[]>;
  /**
   * Claims the next question about an order.
   * @returns when it was last answered; undefined when a relay asked within `closest` milliseconds
   */
  claimQuerySlot(
    requestId: string,
    now: number,
    closest: number,
  ): Promise<number | null | undefined>;
  /** Orders written since a cursor, by any relay. With a null cursor, returns only a cursor. */
  changes(
    cursor: string | null,
  ): Promise<{ cursor: string; changed: Pick<OrderRow, 'request_id' | 'intent_id'>[] }>;
  /** Counts one heartbeat of a relay. @returns the count of every relay */
  heartbeat(instance: string): Promise<ReadonlyMap<string, number>>;
  /** Forgets a relay whose count stood still at `beat`. */
  forgetInstance(instance: string, beat: number): Promise<void>;
  /**
   * Walks over schedules that lie in the future, a few at a time. What was asked, created or
   * written after `now` is due at once; a claim that ends later than any claim can ends `claimMs`
   * from now.
   * @returns where to go on, or null at the end
   */
  repairSchedules(now: number, claimMs: number, from: number | null): Promise<number | null>;
  /** Forgets intents from before `before`. @returns how many of at most `limit` */
  purge(before: number, limit: number): Promise<number>;
  /** Forgets intents from before `before` of which nothing was ever sent. @returns how many */
  purgeUnsent(before: number, limit: number): Promise<number>;
  depositAddress(
    customerRefId: string,
    currency: string,
    network: string,
  ): Promise<DepositAddressRow | null>;
  /** Keeps the first address of a customer, currency and network. @returns the row that stands */
  keepDepositAddress(row: DepositAddressRow): Promise<DepositAddressRow>;
  setting(name: string): Promise<string | null>;
  /** Keeps the first value written under a name. @returns the value that stands */
  keepSetting(name: string, value: string): Promise<string>;
  writeSetting(name: string, value: string): Promise<void>;
  /** The database's clock; null where the wall clock of this process is the ledger's clock. */
  now(): Promise<number> | null;
  /** Reads one row. @throws when the ledger cannot be read, GenerationError when it is newer, LedgerGoneError */
  ping(): Promise<void>;
  /** Looks for damage and for rows that contradict each other. @returns one line each */
  verify(): Promise<string[]>;
  /** Writes a copy while relays go on. @throws where the database has tools of its own */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};
