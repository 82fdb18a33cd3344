/** Starts relays whose ledgers hold many finished orders. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgres as fillPostgresLedger, sqlite as fillSqliteLedger } from '../../proofs/aged.js';
import { startPostgres, type Postgres } from '../../suite/support/postgres.js';
import { startRelay, type Contender } from './contenders.js';

/** Orders that a ledger holds before the first round. */
const LEDGER_SIZES = [10_000, 300_000];

/** A relay on SQLite and one on PostgreSQL for each size of ledger. */
export async function startAged(
  serviceUrl: string,
  queriesPerSecond: number,
): Promise<Contender[]> {
  const contenders = [];
  for (const start of [startOnSqlite, startOnPostgres])
    for (const size of LEDGER_SIZES)
      contenders.push(await start(serviceUrl, size, queriesPerSecond));
  return contenders;
}

/** Several relays on one ledger on PostgreSQL that holds few orders. They give each other hints. */
export async function startSeveral(
  serviceUrl: string,
  count: number,
  queriesPerSecond: number,
): Promise<Contender[]> {
  const [fewOrders = 0] = LEDGER_SIZES;
  const { ledger, server } = await startFilledPostgres(fewOrders);
  const relays: Contender[] = [];
  let running = count;
  for (let index = 0; index < count; index++) {
    const config = { ledger, ledger_hints: ledger };
    const relay = await startRelay(serviceUrl, config, [], queriesPerSecond);
    const stop = async (): Promise<void> => {
      await relay.stop();
      if (--running === 0) await server.stop();
    };
    const name = nameOf('PostgreSQL', fewOrders, `${count} relays`);
    relays.push({ ...relay, name, stop, databasePid: server.pid() });
  }
  return relays;
}

/** @returns a server, and the address of its ledger, which holds so many finished orders */
async function startFilledPostgres(orders: number): Promise<{ server: Postgres; ledger: string }> {
  const server = await startPostgres();
  const ledger = await server.database();
  const filled = await fillPostgresLedger(ledger, orders);
  await filled.close();
  return { server, ledger };
}

async function startOnSqlite(
  serviceUrl: string,
  ordersInLedger: number,
  queriesPerSecond: number,
): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-orders-'));
  const filled = await fillSqliteLedger(folder, ordersInLedger);
  await filled.close();
  // the file is named by its number of orders
  const ledger = `sqlite:${join(folder, `${ordersInLedger}.db`)}`;
  const relay = await startRelay(serviceUrl, { ledger }, [], queriesPerSecond);
  const stop = async (): Promise<void> => {
    await relay.stop();
    rmSync(folder, { recursive: true });
  };
  return { ...relay, name: nameOf('SQLite', ordersInLedger), stop };
}

async function startOnPostgres(
  serviceUrl: string,
  ordersInLedger: number,
  queriesPerSecond: number,
): Promise<Contender> {
  const { ledger, server } = await startFilledPostgres(ordersInLedger);
  const relay = await startRelay(serviceUrl, { ledger }, [], queriesPerSecond);
  const stop = async (): Promise<void> => {
    await relay.stop();
    await server.stop();
  };
  const name = nameOf('PostgreSQL', ordersInLedger);
  return { ...relay, name, stop, databasePid: server.pid() };
}

const nameOf = (engine: string, ordersInLedger: number, relays = 'relay'): string =>
  `${relays} on ${engine}, ${ordersInLedger.toLocaleString('en-US')} orders`;
