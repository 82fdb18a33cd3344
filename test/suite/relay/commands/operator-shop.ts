/** A shop with a ledger on disk, and the operator's commands on it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { runHere } from '../../support/run-here.js';
import { createWorld, readSecret, SECRETS, testConfig, type World } from '../../support/world.js';
import { signedPay, type SignedPay } from '../operator/signed-pay.js';

export type OperatorShop = {
  readonly ledger: Ledger;
  readonly pay: SignedPay;
  readonly world: World;
  /** Runs a command on the shop's ledger, and returns what it prints. */
  run(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
};

/** The shop's backend answers nothing, so that its events stay undelivered. */
const hooks = { url: 'http://127.0.0.1:9/hooks', secret: { env: 'SECRET' } };

export async function openOperatorShop(folder: string, name: string): Promise<OperatorShop> {
  const ledgerName = `sqlite:${join(folder, `${name}.db`)}`;
  const config: ConfigFile = { ...testConfig, ledger: ledgerName, shop_events: hooks };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  Object.assign(process.env, SECRETS);
  const ledger = await openLedger(ledgerName);
  await bindLedger(parseConfig(config, readSecret), ledger);
  const world = createWorld({ ledger, config: { shop_events: hooks } });
  return {
    ledger,
    world,
    pay: signedPay(world),
    run: (...args) => runHere([...args, '--config', file]),
    close: async () => {
      await world.relay.close();
      await ledger.close();
    },
  };
}
