/**
 * The SQLite engine with time between its statements. Without it, nothing could come in between the
 * statements of a transaction, because all relays run in one process. Here a statement may take a
 * while, and the process may freeze or die before the statement or before its answer.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { sql } from 'kysely';
import type { Engine } from '../../../../relay/ledger/sql/engine.js';
import type { Random } from '../chance.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Gate } from './gate.js';

export type Latency = {
  scheduler: Scheduler;
  gate: Gate;
  random: Random;
  /** The share of statements (0 to 1) that take long enough for other relays to come in between. */
  slowPart: number;
};

const MEAN_SLOW_MS = 4;

class GatedConnection implements DatabaseConnection {
  inner: DatabaseConnection;
  readonly #latency: Latency;
  constructor(inner: DatabaseConnection, latency: Latency) {
    this.inner = inner;
    this.#latency = latency;
  }
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.pass(() => this.inner.executeQuery<R>(query));
  }
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const { gate, random, scheduler, slowPart } = this.#latency;
    if (random.chance(slowPart)) await scheduler.sleep(1 + random.wait(MEAN_SLOW_MS));
    const before = gate.pass();
    if (before) await before;
    const result = await work();
    // the answer of a commit may be slow too: then other relays see the commit before its writer
    if (random.chance(slowPart)) await scheduler.sleep(1 + random.wait(MEAN_SLOW_MS));
    const after = gate.pass();
    if (after) await after;
    return result;
  }
  // the interface requires it, but the ledger never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }
}

function gatedDriver(driver: Driver, latency: Latency): Driver {
  /** Wrappers for the next use: a new one for each would fill Kysely's set of weak references. */
  const free: GatedConnection[] = [];
  const inner = (connection: DatabaseConnection): DatabaseConnection =>
    connection instanceof GatedConnection ? connection.inner : connection;
  const pass = <T>(connection: DatabaseConnection, work: () => Promise<T>): Promise<T> =>
    connection instanceof GatedConnection ? connection.pass(work) : work();
  return {
    init: () => driver.init(),
    acquireConnection: async () => {
      const connection = await driver.acquireConnection();
      const gated = free.pop() ?? new GatedConnection(connection, latency);
      gated.inner = connection;
      return gated;
    },
    beginTransaction: (connection, settings) =>
      pass(connection, () => driver.beginTransaction(inner(connection), settings)),
    commitTransaction: (connection) =>
      pass(connection, () => driver.commitTransaction(inner(connection))),
    rollbackTransaction: (connection) =>
      pass(connection, () => driver.rollbackTransaction(inner(connection))),
    releaseConnection: (connection) => {
      const released = inner(connection);
      if (connection instanceof GatedConnection) free.push(connection);
      return driver.releaseConnection(released);
    },
    destroy: () => driver.destroy(),
  };
}

const gatedDialect = (dialect: Dialect, latency: Latency): Dialect => ({
  createDriver: () => gatedDriver(dialect.createDriver(), latency),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
});

/** @param databaseNow the database's own clock, in milliseconds; null: the machine's clock */
export function gatedEngine(
  engine: Engine,
  latency: Latency,
  databaseNow: (() => number) | null,
): Engine {
  const { dialect, reader, relaxedDurability } = engine;
  return {
    ...engine,
    dialect: gatedDialect(dialect, latency),
    reader: reader && gatedDialect(reader, latency),
    relaxedDurability: relaxedDurability && gatedDialect(relaxedDurability, latency),
    now: databaseNow && clockQuery(databaseNow),
  };
}

/** Each use of the query reads the clock anew, as `clock_timestamp()` does on PostgreSQL. */
const clockQuery = (read: () => number): Engine['now'] =>
  new Proxy(sql<number>`0`, {
    get: (target, name) =>
      name === 'toOperationNode'
        ? () => sql<number>`${read()}`.toOperationNode()
        : Reflect.get(target, name, target),
  });
