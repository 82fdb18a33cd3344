/** The faults of machines by name. A new fault is a function in this folder and a line here. */
import { clockStep, outage } from './clock-and-network.js';
import type { Fault } from './fault.js';
import type { MachineFault } from './names.js';
import { freeze, kill, powerCut } from './processes.js';
import { shopRestored, webhooksLost } from './shops.js';
import { databaseGone, fullDisk, restore } from './storage.js';

export const faults: Readonly<Record<MachineFault, Fault>> = {
  kill,
  freeze,
  clock_step: clockStep,
  full_disk: fullDisk,
  database_gone: databaseGone,
  power_cut: powerCut,
  restore,
  outage,
  webhooks_lost: webhooksLost,
  shop_restored: shopRestored,
};
