/**
 * The ledger: every write is one atomic statement or transaction, so several relays may share it.
 */
import type { CountLedger } from './counts.js';
import type { Intent, OrderInIntent, Rule } from './intent.js';
import type { OperatorLedger, Place } from './operator-ledger.js';
import type { PayLinkClaim, PayLinkLedger } from './pay-link-ledger.js';
import type { ShopLedger } from './shop-ledger.js';
import type { Signals } from './signals.js';
import type { DepositAddressRow, OpenOutcome, OrderRow, ShopEventRow, Stamp } from './rows.js';

/**
 * What to do with the tables of an opened ledger. `create` makes the tables of a new ledger.
 * `check` refuses a new ledger. Both refuse a generation other than this relay's. `leave` neither
 * changes nor checks the tables, for a backup.
 */
export type SchemaUse = 'create' | 'check' | 'leave';

export type ChangeAlso = {
  /** The link that an order is claimed by; it must be open. */
  readonly payLink?: PayLinkClaim | undefined;
  /** The intent as its caller read it, which may save a read; null when the ledger lacked it. */
  readonly known?: Intent | null | undefined;
};

/**
 * `intent`: as stored after the call. `link_closed`: the link takes no order of this intent, and
 * nothing was written.
 */
export type Changed = {
  readonly result: 'written' | 'unchanged' | 'link_closed';
  readonly intent: Intent | null;
};
export const isWritten = ({ result }: Changed): boolean => result === 'written';

/** An event as it was leased: `next_try_at` is the end of the lease. */
export type LeasedEvent = Pick<ShopEventRow, 'event_id' | 'next_try_at' | 'tries'>;
/** What holds back a list, named for an operator, and for how long. */
export type HeldBack = { readonly by: string; readonly ms: number };
type DeliveryOutcome =
  | { readonly deliveredAt: number }
  | { readonly nextTryAt: number | null; readonly failure: string };

/** An intent that a relay wrote, and the version that it has now. */
export type SeenChange = Required<Pick<Intent, 'intent_id' | 'version'>>;

/**
 * `cursor`: the position of the last listed change. `last`: that of the last change that was begun;
 * a change between the two may not have ended yet.
 */
type SeenChanges = {
  readonly cursor: string;
  readonly last: number;
  readonly changed: readonly SeenChange[];
};

/**
 * The longest that a claim lasts, and the longest wait of an event by its failed tries, in
 * milliseconds.
 */
export type LongestWaits = {
  readonly claimMs: number;
  readonly retryMs: readonly number[];
  /** Until the next check of an order. */
  checkMs(made: Stamp): number;
};

type ForOthers = ShopLedger & PayLinkLedger & OperatorLedger & CountLedger;

export type Ledger = ForOthers & {
  /**
   * Reads the intent, applies the rule, and writes the result with its events in one transaction.
   * When another writer is faster, it reads and applies the rule again; no change is dropped.
   *
   * @throws GenerationError when the change lets an order be sent and a newer relay has used the
   *   ledger
   * @throws LedgerGoneError, LedgerBusyError
   */
  change(intentId: string, rule: Rule, also?: ChangeAlso): Promise<Changed>;
  intent(intentId: string): Promise<Intent | null>;
  find(requestId: string): Promise<OrderInIntent | null>;
  /**
   * Leases due events; no two relays get the same event. Those that were never tried come first, so
   * that a backlog of repeated events does not delay them, and of both the longest due.
   */
  leaseDueEvents(now: number, until: number, limit: number): Promise<ShopEventRow[]>;
  /**
   * Records a delivery, or a failure with its next try at `nextTryAt` (null: given up). An event
   * that was made due again since it was leased stays due: a failure of its earlier tries must not
   * cancel the repeated delivery that was promised.
   *
   * @param answers what the shop answered to the last tries (shop-answers.ts); absent: as before
   */
  recordDelivery(event: LeasedEvent, outcome: DeliveryOutcome, answers?: string): Promise<void>;
  /**
   * Counts the events neither delivered nor given up, with the time of the oldest; `stopped`: those
   * given up.
   */
  outbox(): Promise<{ waiting: number; oldest: number | null; stopped: number }>;
  /** Counts the intents that wait for each outcome; `oldest`: since when the first has waited. */
  openOrders(): Promise<{ outcome: OpenOutcome; count: number; oldest: number }[]>;
  /** Leases orders due for a check, the longest due first; no two relays get the same order. */
  leaseDueOrders(now: number, until: number, limit: number): Promise<OrderRow[]>;
  /**
   * Claims the next query of an order at the service.
   *
   * @param signals added to those of the order, without a new version of its intent
   * @returns the order; null when a relay asked less than `minGapMs` ago, and nothing was written
   */
  claimQuerySlot(
    requestId: string,
    now: number,
    minGapMs: number,
    signals?: Signals | null,
  ): Promise<OrderInIntent | null>;
  /** The open transaction of the ledger that has held back a list for the longest time. */
  heldBack(): Promise<HeldBack | null>;
  /**
   * Moves the check of the intent's due order to `until`, without a new version of the intent: no
   * list and no waiting page learns of it, and no pay loses its claim.
   *
   * @returns false when the intent has another version
   */
  postpone(
    intent: Pick<Intent, 'intent_id' | 'version'>,
    until: number,
    now: number,
  ): Promise<boolean>;
  /** Intents that any relay wrote since the cursor. With a null cursor, returns only a cursor. */
  changes(cursor: string | null): Promise<SeenChanges>;
  /**
   * Adds one heartbeat of a relay.
   *
   * @returns the count of every relay
   */
  heartbeat(instance: string): Promise<ReadonlyMap<string, number>>;
  /** Deletes a relay whose count is still `beat`. */
  forgetInstance(instance: string, beat: number): Promise<void>;
  /**
   * Repairs schedules that lie in the future because the clock stepped back, one batch a call. An
   * order or event that was written after `now` becomes due at once. A claim or a retry that would
   * wait longer than `longest` waits for `longest`.
   *
   * @returns where the next batch begins, or null at the end
   */
  repairSchedules(now: number, longest: LongestWaits, from: number | null): Promise<number | null>;
  /**
   * Looks at the next `limit` intents created before `before`, the oldest first, and deletes those
   * that are over (`isPurged`).
   *
   * @param after where the step before this one ended; null at the beginning
   * @returns `next`: where this step ended; null at the end
   */
  purge(
    before: number,
    limit: number,
    after: Place | null,
  ): Promise<{ deleted: number; next: Place | null }>;
  /**
   * Deletes at most `limit` open intents created before `before` of which nothing was ever sent.
   *
   * @param after where the step before ended; 0 at the start
   * @returns `next`: null at the end
   */
  purgeUnsent(
    before: number,
    limit: number,
    after: number,
  ): Promise<{ deleted: number; next: number | null }>;
  depositAddress(
    customerRefId: string,
    currency: string,
    network: string,
  ): Promise<DepositAddressRow | null>;
  /**
   * Inserts the address unless the customer, currency and network have one.
   *
   * @returns the stored row
   */
  keepDepositAddress(row: DepositAddressRow): Promise<DepositAddressRow>;
  setting(name: string): Promise<string | null>;
  /**
   * Inserts the value unless the name has one.
   *
   * @returns the stored value
   */
  keepSetting(name: string, value: string): Promise<string>;
  writeSetting(name: string, value: string): Promise<void>;
  /** Reads the database's clock; null where this process's wall clock is the ledger's clock. */
  now(): Promise<number> | null;
  /**
   * Reads one row.
   *
   * @throws GenerationError, LedgerGoneError
   * @throws Error when the ledger cannot be read
   */
  ping(): Promise<void>;
  /**
   * Looks for damage and for rows that contradict each other.
   *
   * @returns one line for each problem
   */
  verify(): Promise<string[]>;
  /**
   * Writes a copy while relays run.
   *
   * @throws on PostgreSQL, which has its own tools
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};
