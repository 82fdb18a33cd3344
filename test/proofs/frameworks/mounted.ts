/** The relay inside the shop's own server, configured by files in the shop's folder. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigFile } from '../../../relay/config/schema.js';
import { here } from './serve.js';

const CONFIG = 'relay.config.json';
const LEDGER = 'ledger.db';

export type Mounted = {
  /** URL of the mounted relay. */
  relay: string;
  /** @returns what is wrong after the build; a build has no database, so it must open no ledger */
  afterBuild(): string[];
  /** @returns what is wrong after a customer has paid */
  afterPayment(): Promise<string[]>;
  /** Removes the files that the mounted relay has read and written. */
  remove(): void;
};

/** Writes the configuration of a relay that the shop mounts at `/pay`. */
export function mountIn(folder: string, origin: string, sandbox: string): Mounted {
  const relay = `${origin}/pay`;
  const config: ConfigFile = {
    mode: 'test',
    service: { base_url: sandbox, not_found_codes: ['4040'], queries_per_second: 100 },
    shop: { name: 'Shop', origins: [origin] },
    public_url: relay,
    ledger: `sqlite:${LEDGER}`,
    options: [
      {
        id: 'sbp',
        label: 'SBP',
        payment_method: 'direct',
        payment_type: 'qrcode',
        payment_channel: 'sbp_qr',
      },
      { id: 'card', label: 'Card', payment_method: 'on_line' },
    ],
    statuses: { '20': 'succeeded', '30': 'failed', '40': 'expired' },
    links: { hosts: ['localhost', '127.0.0.1'] },
    order_token_keys: [{ kid: 'test', alg: 'HS256', secret: { env: 'ORDER_TOKEN_KEY' } }],
    secret_key: { env: 'RELAY_SECRET_KEY' },
  };
  const remove = (): void => {
    for (const file of readdirSync(folder))
      if (file === CONFIG || file.startsWith(LEDGER)) rmSync(join(folder, file));
  };
  // a ledger of an earlier run belongs to another public_url
  remove();
  writeFileSync(join(folder, CONFIG), JSON.stringify(config));
  const hasLedger = (): boolean => existsSync(join(folder, LEDGER));
  return {
    relay,
    afterBuild: () => (hasLedger() ? ['the build has opened the ledger'] : []),
    afterPayment: async () => {
      const problems = hasLedger() ? [] : ['the mounted relay has opened no ledger'];
      const script = await fetch(`${relay}/pay-checkout.js`);
      const built = `${here}node_modules/pay-checkout-relay/dist/pay-checkout.js`;
      if ((await script.text()) !== readFileSync(built, 'utf8'))
        problems.push(`the mounted relay serves another script, with status ${script.status}`);
      return problems;
    },
    remove,
  };
}
