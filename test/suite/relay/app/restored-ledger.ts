/** Ledgers that are backed up and restored. */
import { join } from 'node:path';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import { createWorld, readSecret, testConfig, type World } from '../../support/world.js';

export const config = parseConfig(testConfig, readSecret);

const newFile = (folder: string): string => join(folder, `${crypto.randomUUID()}.db`);

/** Opens a new ledger in the folder, as the first start of a relay does. */
export async function newLedger(folder: string): Promise<Ledger> {
  const ledger = await openLedger(`sqlite:${newFile(folder)}`);
  await bindLedger(config, ledger);
  return ledger;
}

/** @returns the file of the backup */
export async function backUp(folder: string, ledger: Ledger): Promise<string> {
  const backup = newFile(folder);
  await ledger.backup(backup);
  return backup;
}

/** Opens a backup as a start with `--restored` does. */
export async function openRestored(backup: string, clock = systemClock): Promise<Ledger> {
  const ledger = await openLedger(`sqlite:${backup}`);
  await bindLedger(config, ledger, { restored: true, clock });
  return ledger;
}

/** Ends the relay and its ledger, and starts a relay on the backup. The service stays the same. */
export async function restart(
  { ledger, relay, sandbox }: World,
  backup: string,
  clock = systemClock,
): Promise<World> {
  await relay.close();
  await ledger.close();
  return createWorld({ ledger: await openRestored(backup, clock), sandbox, clock });
}
