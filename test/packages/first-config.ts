/**
 * The configuration of a first shop: the command `init` writes it; where the program has no such
 * command, this file writes what a developer would.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'relay.config.json';
const INIT =
  'npx pay-checkout-relay init --yes --origin http://localhost:3000 ' +
  '--events-url http://localhost:3000/hooks/pay';

/**
 * @param run runs a command of the developer in the folder
 * @param here replaces the ports by those of this run
 */
export function configure(
  folder: string,
  run: (command: string) => void,
  here: (text: string) => string,
): void {
  const file = join(folder, FILE);
  const help = ['pay-checkout-relay', 'init', '--help'];
  if (spawnSync('npx', help, { cwd: folder, stdio: 'ignore' }).status === 0) run(INIT);
  else writeByHand(folder, file);
  writeFileSync(file, here(readFileSync(file, 'utf8')));
}

function writeByHand(folder: string, file: string): void {
  const secret = (name: string) => ({ file: `secrets/${name}` });
  mkdirSync(join(folder, 'secrets'));
  for (const name of ['order-token-key', 'secret-key'])
    writeFileSync(join(folder, 'secrets', name), randomBytes(32).toString('hex'));
  writeFileSync(
    join(folder, 'secrets', 'shop-events-secret'),
    `whsec_${randomBytes(32).toString('base64')}`,
  );
  const config = {
    mode: 'test',
    service: { base_url: 'http://127.0.0.1:9000', not_found_codes: ['4040'] },
    shop: {
      name: 'My shop',
      origins: ['http://localhost:3000'],
      return_hosts: ['localhost:3000'],
    },
    public_url: 'http://localhost:8787',
    ledger: 'sqlite:pay-checkout.db',
    options: [
      { id: 'card', label: 'Card', payment_method: 'on_line' },
      {
        id: 'qr',
        label: 'QR code',
        payment_method: 'direct',
        payment_type: 'qrcode',
        payment_channel: 'sbp_qr',
      },
    ],
    statuses: { '20': 'succeeded', '30': 'failed', '40': 'expired' },
    links: { hosts: ['localhost', '127.0.0.1'] },
    order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: secret('order-token-key') }],
    secret_key: secret('secret-key'),
    shop_events: {
      url: 'http://localhost:3000/hooks/pay',
      secret: secret('shop-events-secret'),
    },
  };
  writeFileSync(file, JSON.stringify(config, null, 2));
}
