/** A full disk, a database that cannot be reached, and an older backup in the ledger's place. */
import type { LedgerFile } from '../machine/ledger-file.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Fault } from './fault.js';

const BACKUP_RETRY_MS = 10;

export const fullDisk: Fault = {
  recoveryMs: 30_000,
  happen: async ({ deployment, scheduler }, { lastsMs }) => {
    deployment.disk.full = true;
    await scheduler.sleep(lastsMs);
    deployment.disk.full = false;
    deployment.startAll();
  },
};

export const databaseGone: Fault = {
  recoveryMs: 30_000,
  happen: async ({ deployment, scheduler }, { lastsMs }) => {
    deployment.disk.gone = true;
    await scheduler.sleep(lastsMs);
    deployment.disk.gone = false;
    deployment.startAll();
  },
};

/** Copies the ledger. Waits while a relay has locked it, as the command `ledger backup` does. */
async function backUp(
  file: LedgerFile,
  scheduler: Scheduler,
): Promise<{ copy: string; backupAt: number }> {
  for (;;)
    try {
      const backupAt = scheduler.now();
      return { copy: file.backup(), backupAt };
    } catch (error) {
      if (!(error instanceof Error && /locked/.test(error.message))) throw error;
      await scheduler.sleep(BACKUP_RETRY_MS);
    }
}

/** How long no relay runs before a restore: all requests under way arrive within this time. */
const DOWN_MS = 5000;
/** The age of the backup at its restore, in multiples of the fault's `lastsMs`. */
const BACKUP_AGE_FACTOR = 3;

export const restore: Fault = {
  recoveryMs: 60_000,
  happen: async ({ book, callBack, checker, deployment, scheduler }, { lastsMs }) => {
    const { backupAt, copy } = await backUp(deployment.file, scheduler);
    await scheduler.sleep(lastsMs * BACKUP_AGE_FACTOR);
    // from here to `holds--` no other fault starts a relay
    deployment.holds++;
    deployment.kill();
    await scheduler.sleep(DOWN_MS);
    deployment.file.restore(copy);
    deployment.holds--;
    const { shop } = deployment;
    // a pay that was claimed before the backup may have arrived after it. An order that an earlier
    // restore lost may have been found again after this backup: this restore loses it once more
    const lost = book
      .ofShops()
      .filter((order) => order.shop === shop)
      .filter(({ receivedAt, requestId }) => {
        return receivedAt >= backupAt - DOWN_MS || deployment.everLost.has(requestId);
      })
      .map(({ requestId }) => requestId);
    for (const requestId of lost) deployment.everLost.add(requestId);
    checker.tell({ kind: 'restored', shop, lost, backupAt });
    deployment.startAll(true);
    callBack(lost);
  },
};
