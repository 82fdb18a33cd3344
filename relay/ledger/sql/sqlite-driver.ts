/**
 * One SQLite connection for many callers, one after the other, so that no statement enters another
 * caller's transaction.
 *
 * Transactions that come together are committed together: a commit waits for the disk and keeps the
 * event loop from all other work meanwhile. All but the first are savepoints in the transaction of
 * the first. No caller is told of its commit before the database has committed.
 */
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { asBusy, busy, MAX_WRITE_WAIT_MS, retryWhileBusy } from './sqlite-busy.js';

type Statement = {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number | bigint };
};
export type SqliteDatabase = {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
};

const isRead = (text: string): boolean =>
  /^\s*(select|pragma|with)\b/i.test(text) || /\breturning\b/i.test(text);

/** Executes statements, each of which is prepared once. */
class Statements {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, { statement: Statement; isRead: boolean }>();
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }
  execute<R>({ sql: text, parameters }: CompiledQuery): QueryResult<R> {
    let known = this.#prepared.get(text);
    if (!known) {
      known = { statement: this.#database.prepare(text), isRead: isRead(text) };
      this.#prepared.set(text, known);
    }
    const { statement } = known;
    // the driver's rows have no prototype, so deepEqual with a plain object would fail
    if (known.isRead)
      return { rows: statement.all(...parameters).map((row) => ({ ...(row as object) }) as R) };
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  }
  run(text: string): void {
    this.execute(CompiledQuery.raw(text));
  }
  /** Rolls back, unless the database has done so itself, as on a full disk. */
  undo(): void {
    try {
      this.run('rollback');
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }
}

/** The connection while one caller has it. */
class Turn implements DatabaseConnection {
  readonly #statements: Statements;
  readonly #beforeSingle: () => void;
  readonly deadline: number;
  inTransaction = false;
  /** Whether its transaction is a savepoint, because others of its group came before. */
  isSavepoint = false;
  /** Whether the connection was given to the next caller before this one releases it. */
  isOver = false;
  /**
   * @param deadline when the caller stops waiting for another process, by performance.now()
   * @param beforeSingle called before a statement outside of a transaction
   */
  constructor(statements: Statements, deadline: number, beforeSingle: () => void) {
    this.#statements = statements;
    this.#beforeSingle = beforeSingle;
    this.deadline = deadline;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return retryWhileBusy(this.deadline, () => {
      if (!this.inTransaction) this.#beforeSingle();
      return this.#statements.execute<R>(query);
    });
  }
  // the interface requires it, but the ledger never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }
}

type Waiter = { deadline: number; take: () => void };
type Member = { resolve: () => void; reject: (error: unknown) => void };
/** Transactions that have ended, in a transaction of the database that is still open. */
type Group = { readonly members: Member[]; isDue: boolean };

export class SqliteDriver implements Driver {
  readonly #statements: Statements;
  readonly #isGrouping: boolean;
  readonly #waiters: Waiter[] = [];
  #isTaken = false;
  #turn: Turn | null = null;
  #group: Group | null = null;
  /** @param isGrouping whether transactions that come together are committed together */
  constructor(database: SqliteDatabase, isGrouping: boolean) {
    this.#statements = new Statements(database);
    this.#isGrouping = isGrouping;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<Turn> {
    const deadline = performance.now() + MAX_WRITE_WAIT_MS;
    if (this.#isTaken) await this.#waitInQueue(deadline);
    this.#isTaken = true;
    // alone, a statement is durable when it returns, so it is not executed within the group
    this.#turn = new Turn(this.#statements, deadline, () => this.#commitGroup());
    return this.#turn;
  }
  /** @throws LedgerBusyError when the connection is not free in time */
  #waitInQueue(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { deadline, take: resolve };
      const giveUp = (): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at < 0) return;
        this.#waiters.splice(at, 1);
        reject(busy());
      };
      const timer = setTimeout(giveUp, MAX_WRITE_WAIT_MS);
      waiter.take = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiters.push(waiter);
    });
  }
  async releaseConnection(turn: DatabaseConnection): Promise<void> {
    if (!(turn as Turn).isOver) this.#passOn();
  }
  #passOn(): void {
    if (this.#turn) this.#turn.isOver = true;
    this.#turn = null;
    const next = this.#waiters.shift();
    if (next) next.take();
    else this.#isTaken = false;
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as Turn;
    turn.inTransaction = true;
    if (this.#group) {
      turn.isSavepoint = true;
      return this.#beginSavepoint(this.#group);
    }
    // `immediate`: a deferred transaction that writes after a read can fail on a lock without
    // waiting
    await turn.executeQuery(CompiledQuery.raw('begin immediate'));
    if (this.#isGrouping) this.#group = { members: [], isDue: false };
  }
  #beginSavepoint(group: Group): void {
    try {
      this.#statements.run('savepoint one');
    } catch (error) {
      // where the database has rolled back, the next savepoint would be a transaction of its own
      this.#undoGroup(group, error);
      throw asBusy(error);
    }
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as Turn;
    const group = this.#group;
    if (!group) return void (await turn.executeQuery(CompiledQuery.raw('commit')));
    if (turn.isSavepoint) this.#statements.run('release one');
    turn.inTransaction = false;
    return this.#awaitGroup(group);
  }
  /** Gives the connection to the next caller, and resolves when the group is committed. */
  #awaitGroup(group: Group): Promise<void> {
    const { members } = group;
    const committed = new Promise<void>((resolve, reject) => members.push({ resolve, reject }));
    // after the requests that have arrived meanwhile
    if (members.length === 1) setImmediate(() => this.#fallDue());
    if (group.isDue) this.#commitGroup();
    this.#passOn();
    return committed;
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as Turn;
    // its commit failed together with its group, and another caller has the connection
    if (turn.isOver) return;
    turn.inTransaction = false;
    const group = this.#group;
    if (!group) return this.#statements.undo();
    if (!turn.isSavepoint) return this.#undoGroup(group, null);
    try {
      this.#statements.run('rollback to one');
      this.#statements.run('release one');
    } catch (error) {
      // the database has rolled everything back, as on a full disk
      return this.#undoGroup(group, error);
    }
    // it may have failed because of what earlier ones of its group have written, which is not true
    // before the commit, and never when the commit fails
    return this.#awaitGroup(group);
  }
  #fallDue(): void {
    if (!this.#group) return;
    this.#group.isDue = true;
    // a transaction under way is in the group: its end commits
    if (!this.#turn?.inTransaction) this.#commitGroup();
  }
  #commitGroup(): void {
    const group = this.#group;
    if (!group) return;
    try {
      this.#statements.run('commit');
    } catch (error) {
      return this.#undoGroup(group, error);
    }
    this.#group = null;
    for (const { resolve } of group.members) resolve();
  }
  #undoGroup(group: Group, error: unknown): void {
    this.#group = null;
    for (const { reject } of group.members) reject(asBusy(error));
    try {
      this.#statements.undo();
    } catch {
      // the next statement fails too, and its caller reports it
    }
  }
  /**
   * Waits for the transaction under way and for those in the queue. The engine closes the
   * connection itself, since Kysely does not destroy a driver that was never used.
   */
  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#commitGroup();
  }
}
