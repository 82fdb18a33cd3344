/**
 * Opens the ledger of a configuration for one command, and closes it afterwards. A command never
 * changes the tables of a ledger: the relays that use it would place no more orders.
 */
import { bindLedger } from '../bind-ledger.js';
import type { Config } from '../config/schema.js';
import type { Ledger, SchemaUse } from '../ledger/ledger.js';
import { nodeClock } from '../node/process.js';
import { openLedger } from '../node/open-ledger.js';
import { readConfigFile } from '../node/read-config-file.js';

type Work<T> = (ledger: Ledger, config: Config) => Promise<T>;

/** @throws Error when the ledger has another generation, or belongs to another configuration */
export const withLedger = <T>(configFile: string, work: Work<T>): Promise<T> =>
  withOpen(configFile, 'check', async (ledger, config) => {
    await bindLedger(config, ledger, { clock: nodeClock, readsOnly: true });
    return work(ledger, config);
  });

/** For a move: opens a ledger that belongs to another configuration. */
export const withUnboundLedger = <T>(configFile: string, work: Work<T>): Promise<T> =>
  withOpen(configFile, 'check', work);

/** For a backup: opens a ledger of any generation, and leaves it as it is. */
export const withLedgerAsItIs = <T>(configFile: string, work: Work<T>): Promise<T> =>
  withOpen(configFile, 'leave', work);

async function withOpen<T>(configFile: string, schema: SchemaUse, work: Work<T>): Promise<T> {
  const config = await readConfigFile(configFile);
  const ledger = await openLedger(config.ledger, { schema });
  try {
    return await work(ledger, config);
  } finally {
    await ledger.close();
  }
}
