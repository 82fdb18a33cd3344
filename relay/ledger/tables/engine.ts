/** What differs between the engines of a ledger. */
import type { Ledger } from '../ledger.js';
import type { ListName } from '../shop-ledger.js';
import type { Program } from './program.js';

export type Engine = {
  /** Runs a program that only reads. */
  read<T>(program: () => Program<T>): Promise<T>;
  /** Runs a program as one transaction, which is durable when the promise resolves. */
  write<T>(program: () => Program<T>): Promise<T>;
  /**
   * Runs a program that a power cut may undo: leases, query slots, heartbeats, results of
   * deliveries to the shop. Each statement must be right without the others.
   */
  relaxed<T>(program: () => Program<T>): Promise<T>;
  /** Runs a program as one transaction that a power cut may undo: its rows can be rebuilt. */
  rebuildable<T>(program: () => Program<T>): Promise<T>;
  readonly change: Ledger['change'];
  /** Selects how far a list reaches, as a `Reach`. A later statement sees all rows up to there. */
  readonly reach: Readonly<Record<ListName, string>>;
  /** Selects what holds back a list; null where nothing can, because there is one writer. */
  readonly heldBack: string | null;
  /** Reads the database's clock in milliseconds; null when it uses this machine's clock. */
  readonly now: (() => Program<number>) | null;
  /** Locks the rows of a subquery, and skips those that another transaction has locked. */
  readonly skipLocked: string;
  /** Selects the texts in a JSON list, which is the value with this number. */
  textsIn(value: number): string;
  /** Selects key and value of each field of a JSON object, which is the value with this number. */
  pairsIn(value: number): string;
  /** A condition: the subquery, which runs once, selects the value of the column. */
  isAmong(column: string, subquery: string): string;
  /** The database's own check for damage. */
  readonly checkQuery: string | null;
  /** Whether the row with the highest number must stay, because the next number follows it. */
  readonly keepsNewest: boolean;
  backup(file: string): Promise<void>;
  /** @throws LedgerGoneError when the file is no longer the one that was opened */
  checkFile(): void;
  close(): Promise<void>;
};
