/** Opens the ledger of a configuration for one command, and closes it afterwards. */
import { bindLedger } from '../bind-ledger.js';
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import { nodeClock } from '../node/clock.js';
import { openLedger } from '../node/open-ledger.js';
import { readConfigFile } from '../node/read-config-file.js';

export async function withLedger<T>(
  configFile: string,
  work: (ledger: Ledger, config: Config) => Promise<T>,
): Promise<T> {
  const config = await readConfigFile(configFile);
  const ledger = await openLedger(config.ledger);
  try {
    await bindLedger(config, ledger, { clock: nodeClock });
    return await work(ledger, config);
  } finally {
    await ledger.close();
  }
}
