/** The relay inside the shop's own server, configured by the command of the quick start. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigFile } from '../../../relay/config/schema.js';
import { here, run } from './serve.js';

const CONFIG = 'relay.config.json';
const LEDGER = 'pay-checkout.db';

export type Mounted = {
  /** @returns what is wrong after the build; a build has no database, so it must open no ledger */
  afterBuild(): string[];
  /** @returns what is wrong when the shop has started, and nobody has asked for the relay */
  afterStart(): string[];
  /** @returns what is wrong after a customer has paid */
  afterPayment(): Promise<string[]>;
};

/** Writes the configuration of a relay that the shop mounts at `/pay`. */
export function mountIn(folder: string, origin: string, sandbox: string): Mounted {
  // the files of an earlier environment of this shop belong to another public_url
  for (const name of [CONFIG, 'secrets', ...['', '-wal', '-shm'].map((end) => LEDGER + end)])
    rmSync(join(folder, name), { recursive: true, force: true });
  const failure = run(`npx --no-install pay-checkout-relay init --yes --origin ${origin}`, folder);
  if (failure !== null) throw new Error(failure);
  const file = join(folder, CONFIG);
  const config = JSON.parse(readFileSync(file, 'utf8')) as ConfigFile;
  const service = { ...config.service, base_url: sandbox, queries_per_second: 100 };
  const relay = `${origin}/pay`;
  writeFileSync(file, JSON.stringify({ ...config, service, public_url: relay }));
  const hasLedger = (): boolean => existsSync(join(folder, LEDGER));
  return {
    afterBuild: () => (hasLedger() ? ['the build has opened the ledger'] : []),
    afterStart: () => (hasLedger() ? [] : ['the relay has not started with the shop']),
    afterPayment: async () => {
      const script = await fetch(`${relay}/pay-checkout.js`);
      const built = `${here}node_modules/pay-checkout-relay/dist/pay-checkout.js`;
      return (await script.text()) === readFileSync(built, 'utf8')
        ? []
        : [`the mounted relay serves another script, with status ${script.status}`];
    },
  };
}
