/** A shop whose ledger was restored from a backup. */
import { createSandbox } from '../../../../relay/sandbox/sandbox.js';
import { systemClock } from '../../../../relay/runtime.js';
import { backUp, newLedger, openRestored } from '../app/restored-ledger.js';
import { stillClock } from '../../support/world.js';
import { createShop, type Shop } from './shop.js';

/** Actions of customers and the shop; the restored ledger lacks those after the backup. */
type Past = {
  beforeBackup?: (shopBeforeRestore: Shop) => Promise<unknown>;
  afterBackup?: (shopBeforeRestore: Shop) => Promise<unknown>;
};

/**
 * @param folder the directory for the ledger's files
 * @param clock of the relay after the restore
 */
export async function restoredShop(
  folder: string,
  { beforeBackup, afterBackup }: Past,
  clock = systemClock,
): Promise<Shop> {
  const first = await newLedger(folder);
  // no webhooks, because they would reach the relay from before the restore
  const sandbox = createSandbox({ publicUrl: 'https://service.example', notify: async () => {} });
  const shopBeforeRestore = await createShop({ ledger: first, sandbox, clock: stillClock });
  // a starting relay generates its keys before it accepts an order
  await shopBeforeRestore.world.relay.fetch(new Request('https://shop.example/readyz'));
  await beforeBackup?.(shopBeforeRestore);
  const backup = await backUp(folder, first);
  await afterBackup?.(shopBeforeRestore);
  await shopBeforeRestore.world.relay.close();
  await first.close();
  return createShop({ ledger: await openRestored(backup), sandbox, clock });
}
