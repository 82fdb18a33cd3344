/**
 * Opens the ledger of a configuration for one command, and closes it afterwards. A command never
 * changes the tables of a ledger: the relays that use it would place no more orders.
 */
import { bindLedger } from '../bind-ledger.js';
import type { Config } from '../config/schema.js';
import type { OnDamage } from '../ledger/damage.js';
import type { Ledger, SchemaUse } from '../ledger/ledger.js';
import { messageOf } from '../node/message-of.js';
import { nodeClock } from '../node/process.js';
import { openLedger } from '../node/open-ledger.js';
import { readConfigFile } from '../node/read-config-file.js';

/** The answer lacks an intent that cannot be read, so the command says so, and fails at its end. */
const onDamage: OnDamage = (_intentId, error) => {
  process.stderr.write(`warning: left out: ${messageOf(error)}\n`);
  process.exitCode = 1;
};

type Work<T> = (ledger: Ledger, config: Config) => Promise<T>;

/** @throws Error when the ledger has another generation, or belongs to another configuration */
export const withLedger = <T>(configFile: string, work: Work<T>): Promise<T> =>
  withOpenLedger(configFile, 'check', async (ledger, config) => {
    await bindLedger(config, ledger, { clock: nodeClock, readsOnly: true });
    return work(ledger, config);
  });

/**
 * Opens the ledger also when it belongs to another configuration.
 *
 * @param schema `leave`: of any generation
 */
export async function withOpenLedger<T>(
  configFile: string,
  schema: Exclude<SchemaUse, 'create'>,
  work: Work<T>,
): Promise<T> {
  const config = await readConfigFile(configFile);
  const ledger = await openLedger(config.ledger, { onDamage, schema });
  try {
    return await work(ledger, config);
  } finally {
    await ledger.close();
  }
}
