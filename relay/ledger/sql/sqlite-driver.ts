/**
 * One SQLite connection for many callers. It serves one caller at a time, so that no statement
 * enters another caller's transaction.
 *
 * Transactions that arrive together form a group, which is committed once (group commit), because a
 * commit blocks the event loop until the disk has written. The first transaction of a group opens
 * the database's transaction; the others are savepoints in it. A caller's commit resolves only
 * after the database has committed the group.
 */
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { asBusy, busy, MAX_WRITE_WAIT_MS, retryWhileBusy, rolledBack } from './sqlite-busy.js';
import { Statements, type FileGuard, type SqliteDatabase } from './sqlite-statements.js';

/** The connection while one caller holds it. */
class HeldConnection implements DatabaseConnection {
  readonly #statements: Statements;
  readonly #commitGroup: () => void;
  /** When the caller stops waiting for another process, by performance.now(). */
  readonly deadline: number;
  inTransaction = false;
  /** Whether its transaction is a savepoint, because another one opened the group. */
  isSavepoint = false;
  /** Whether the next caller holds the connection, although this one has not released it yet. */
  isOver = false;
  /** @param commitGroup called before a statement outside of a transaction */
  constructor(statements: Statements, deadline: number, commitGroup: () => void) {
    this.#statements = statements;
    this.#commitGroup = commitGroup;
    this.deadline = deadline;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return retryWhileBusy(this.deadline, () => {
      if (this.inTransaction) return this.#statements.execute<R>(query);
      this.#commitGroup();
      return this.#statements.executeAlone<R>(query);
    });
  }
  // the interface requires it, but the ledger never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }
}

/** Gives the connection to a caller that waits for it. */
type Give = () => void;
type Member = { resolve: () => void; reject: (error: unknown) => void };
/**
 * Transactions that have ended and wait for the commit of the database's transaction. When it is
 * due, the next transaction that ends commits it.
 */
type Group = { readonly members: Member[]; isDue: boolean };

export class SqliteDriver implements Driver {
  readonly #statements: Statements;
  readonly #groupsCommits: boolean;
  /** The callers that wait, in the order in which they came. */
  readonly #waiters = new Set<Give>();
  #isTaken = false;
  #held: HeldConnection | null = null;
  #group: Group | null = null;
  /** @param groupsCommits whether transactions that arrive together are committed once */
  constructor(database: SqliteDatabase, groupsCommits: boolean, guard?: FileGuard) {
    this.#statements = new Statements(database, guard);
    this.#groupsCommits = groupsCommits;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<HeldConnection> {
    const deadline = performance.now() + MAX_WRITE_WAIT_MS;
    if (this.#isTaken) await this.#waitInQueue();
    this.#isTaken = true;
    // a statement outside of a transaction must be durable when it returns, so it cannot be part of
    // the open group
    this.#held = new HeldConnection(this.#statements, deadline, () => this.#commitGroup());
    return this.#held;
  }
  /** @throws LedgerBusyError when the connection is not free in time */
  #waitInQueue(): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiters.delete(give);
        reject(busy());
      };
      const timer = setTimeout(giveUp, MAX_WRITE_WAIT_MS);
      this.#waiters.add(give);
    });
  }
  async releaseConnection(held: DatabaseConnection): Promise<void> {
    if (!(held as HeldConnection).isOver) this.#passOn();
  }
  #passOn(): void {
    if (this.#held) this.#held.isOver = true;
    this.#held = null;
    const [next] = this.#waiters;
    if (!next) {
      this.#isTaken = false;
      return;
    }
    this.#waiters.delete(next);
    next();
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const held = connection as HeldConnection;
    if (this.#group) {
      held.inTransaction = true;
      held.isSavepoint = true;
      return this.#beginSavepoint(this.#group);
    }
    // `immediate`: a deferred transaction that writes after a read can fail on a lock without
    // waiting
    await held.executeQuery(CompiledQuery.raw('begin immediate'));
    held.inTransaction = true;
    if (this.#groupsCommits) this.#group = { members: [], isDue: false };
  }
  #beginSavepoint(group: Group): void {
    try {
      this.#statements.run('savepoint one');
    } catch (error) {
      // after the database has rolled back, a savepoint would begin a transaction of its own
      this.#rejectGroup(group, error);
      throw asBusy(error);
    }
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const held = connection as HeldConnection;
    const group = this.#group;
    if (!group) return void (await held.executeQuery(CompiledQuery.raw('commit')));
    if (held.isSavepoint) this.#statements.run('release one');
    held.inTransaction = false;
    return this.#awaitGroup(group);
  }
  /** Gives the connection to the next caller, and resolves when the group is committed. */
  #awaitGroup(group: Group): Promise<void> {
    const { members } = group;
    const committed = new Promise<void>((resolve, reject) => members.push({ resolve, reject }));
    // setImmediate: the transactions of requests that have already arrived join the group first
    if (members.length === 1) setImmediate(() => this.#makeDue());
    if (group.isDue) this.#commitGroup();
    this.#passOn();
    return committed;
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const held = connection as HeldConnection;
    // this caller's commit failed with its group, which was rolled back, and another caller may
    // already hold the connection
    if (held.isOver) return;
    const group = this.#group;
    if (!group) return this.#statements.rollBack();
    if (!held.isSavepoint) return this.#rejectGroup(group, null);
    try {
      this.#statements.run('rollback to one');
      this.#statements.run('release one');
    } catch (error) {
      // the database has rolled everything back, as on a full disk, and has no savepoint any more
      return this.#rejectGroup(group, rolledBack(error));
    }
    // The caller may have failed because of a row that another transaction of the group wrote. If
    // the commit fails, that row never existed, so the caller must get the error of the commit.
    return this.#awaitGroup(group);
  }
  #makeDue(): void {
    if (!this.#group) return;
    this.#group.isDue = true;
    // a transaction under way belongs to the group, and commits the group when it ends
    if (!this.#held?.inTransaction) this.#commitGroup();
  }
  #commitGroup(): void {
    const group = this.#group;
    if (!group) return;
    try {
      this.#statements.run('commit');
    } catch (error) {
      return this.#rejectGroup(group, error);
    }
    this.#group = null;
    for (const { resolve } of group.members) resolve();
  }
  #rejectGroup(group: Group, error: unknown): void {
    this.#group = null;
    for (const { reject } of group.members) reject(asBusy(error));
    try {
      this.#statements.rollBack();
    } catch {
      // the next statement fails too, and its caller reports it
    }
  }
  /**
   * Waits for the transaction under way and for those in the queue. The engine closes the
   * connection, because Kysely does not destroy a driver that was never used.
   */
  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#commitGroup();
  }
}
