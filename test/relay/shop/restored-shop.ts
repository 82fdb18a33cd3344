/** A shop whose ledger was restored from a backup. */
import { join } from 'node:path';
import { bindLedger } from '../../../relay/bind-ledger.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { openLedger } from '../../../relay/node/open-ledger.js';
import { createSandbox } from '../../../relay/sandbox/sandbox.js';
import { readSecret, testConfig } from '../../support/world.js';
import { createShop, type Shop } from './shop.js';

const config = parseConfig(testConfig, readSecret);

/** What customers and the shop did before the backup, and after it; the ledger loses the second. */
type Past = { kept?: (shop: Shop) => Promise<unknown>; lost?: (shop: Shop) => Promise<unknown> };

/** @param folder for the ledger's files */
export async function restoredShop(folder: string, { kept, lost }: Past): Promise<Shop> {
  const name = crypto.randomUUID();
  const backup = join(folder, `${name}.backup.db`);
  const first = await openLedger(`sqlite:${join(folder, `${name}.db`)}`);
  await bindLedger(config, first);
  // its webhooks would reach the relay before the restore
  const sandbox = createSandbox({ publicUrl: 'https://service.example', notify: async () => {} });
  const before = await createShop({ ledger: first, sandbox });
  // a starting relay generates its keys before it accepts an order
  await before.world.relay.fetch(new Request('https://shop.example/readyz'));
  await kept?.(before);
  await first.backup(backup);
  await lost?.(before);
  await before.world.relay.close();
  await first.close();
  const ledger = await openLedger(`sqlite:${backup}`);
  await bindLedger(config, ledger, { restored: true });
  return createShop({ ledger, sandbox });
}
