/** A shop whose ledger was restored from a backup. */
import { join } from 'node:path';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { createSandbox } from '../../../../relay/sandbox/sandbox.js';
import { readSecret, testConfig } from '../../support/world.js';
import { createShop, type Shop } from './shop.js';

const config = parseConfig(testConfig, readSecret);

/** Actions of customers and the shop; the restored ledger lacks those after the backup. */
type Past = {
  beforeBackup?: (shopBeforeRestore: Shop) => Promise<unknown>;
  afterBackup?: (shopBeforeRestore: Shop) => Promise<unknown>;
};

/** @param folder the directory for the ledger's files */
export async function restoredShop(
  folder: string,
  { beforeBackup, afterBackup }: Past,
): Promise<Shop> {
  const name = crypto.randomUUID();
  const backup = join(folder, `${name}.backup.db`);
  const first = await openLedger(`sqlite:${join(folder, `${name}.db`)}`);
  await bindLedger(config, first);
  // no webhooks, because they would reach the relay from before the restore
  const sandbox = createSandbox({ publicUrl: 'https://service.example', notify: async () => {} });
  const shopBeforeRestore = await createShop({ ledger: first, sandbox });
  // a starting relay generates its keys before it accepts an order
  await shopBeforeRestore.world.relay.fetch(new Request('https://shop.example/readyz'));
  await beforeBackup?.(shopBeforeRestore);
  await first.backup(backup);
  await afterBackup?.(shopBeforeRestore);
  await shopBeforeRestore.world.relay.close();
  await first.close();
  const ledger = await openLedger(`sqlite:${backup}`);
  await bindLedger(config, ledger, { restored: true });
  return createShop({ ledger, sandbox });
}
