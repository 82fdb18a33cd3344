/** The relay inside the shop's own server, configured by the command of the quick start. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { ConfigFile } from '../../../relay/config/schema.js';
import { until } from '../../suite/support/wait.js';
import { here, run } from './serve.js';

const CONFIG = 'relay.config.json';
const LEDGER = 'pay-checkout.db';
const SHOP = 'shop.db';

export type Mounted = {
  /** @returns what is wrong after the build; a build has no databases, so it must open none */
  afterBuild(): string[];
  /** @returns what is wrong when the shop has started, and nobody has asked for the relay */
  afterStart(): string[];
  /** @returns what is wrong after a customer has paid */
  afterPayment(): Promise<string[]>;
};

/** Writes the configuration of a relay that the shop mounts at `/pay`. */
export function mountIn(folder: string, origin: string, sandbox: string): Mounted {
  // the files of an earlier environment of this shop belong to another public_url
  const databases = [LEDGER, SHOP].flatMap((name) => ['', '-wal', '-shm'].map((end) => name + end));
  for (const name of [CONFIG, 'secrets', ...databases])
    rmSync(join(folder, name), { recursive: true, force: true });
  const init = `pay-checkout-relay init --origin ${origin} --events-url ${origin}/hooks/pay --yes`;
  const failure = run(`npx --no-install ${init}`, folder);
  if (failure !== null) throw new Error(failure);
  const file = join(folder, CONFIG);
  const config = JSON.parse(readFileSync(file, 'utf8')) as ConfigFile;
  const service = { ...config.service, base_url: sandbox, queries_per_second: 100 };
  const relay = `${origin}/pay`;
  writeFileSync(file, JSON.stringify({ ...config, service, public_url: relay }));
  const has = (name: string): boolean => existsSync(join(folder, name));
  const isRecorded = (): boolean => {
    const database = new DatabaseSync(join(folder, SHOP), { timeout: 5000 });
    try {
      return database.prepare('select 1 from orders where paid_at is not null').all().length === 1;
    } finally {
      database.close();
    }
  };
  return {
    afterBuild: () => [LEDGER, SHOP].filter(has).map((name) => `the build has opened ${name}`),
    afterStart: () => (has(LEDGER) ? [] : ['the relay has not started with the shop']),
    afterPayment: async () => {
      const script = await fetch(`${relay}/pay-checkout.js`);
      const built = `${here}node_modules/pay-checkout-relay/dist/pay-checkout.js`;
      const isBuilt = (await script.text()) === readFileSync(built, 'utf8');
      const unrecorded = await until(isRecorded, `the payment in ${SHOP}`).then(
        () => [],
        (error: unknown) => [String(error)],
      );
      return isBuilt
        ? unrecorded
        : [...unrecorded, `the mounted relay serves another script, with ${script.status}`];
    },
  };
}
