/** The type of a fault, and of what a fault can reach of one shop. */
import type { Checker } from '../checker/checker.js';
import type { History } from '../history.js';
import type { Deployment } from '../machine/deployment.js';
import type { FaultPlan } from '../plan.js';
import type { Book } from '../service/book.js';
import type { Books } from '../shop/books.js';
import type { Scheduler } from '../time/scheduler.js';

export type FaultScene = {
  readonly scheduler: Scheduler;
  readonly history: History;
  readonly checker: Checker;
  readonly deployment: Deployment;
  readonly book: Book;
  /** The shop's own database. */
  readonly books: Books;
  /** The ledger has a clock of its own. */
  readonly databaseClock: boolean;
  /** Customers whose orders a backup lacks come back, and the backend asks about their intents. */
  callBack(requestIds: readonly string[]): void;
};

export type Fault = {
  /** How long after the fault its effects still excuse a delay; null: it excuses none at all. */
  readonly recoveryMs: number | null;
  /** Resolves when the fault is over. */
  happen(scene: FaultScene, plan: FaultPlan): Promise<void>;
};
