/** What is settled between a configuration and a ledger before a relay starts on it. */
import type { Config } from './config/schema.js';
import { createIdentity } from './intent/identity.js';
import { createLedgerClock } from './ledger/ledger-clock.js';
import type { Ledger } from './ledger/ledger.js';
import { RESTORED_AT } from './orders/restored.js';
import { systemClock, type Clock, type Log } from './runtime.js';

type BindOptions = {
  /** The ledger was restored from a backup: orders may stand at the service that it lost. */
  restored?: boolean;
  log?: Log;
  clock?: Clock;
};

/**
 * A ledger belongs to one mode, service, `public_url`, `request_id_prefix` and `request_id_key`.
 * Orders of a test must never be read as paid in live, and a standing order must never get a second
 * request_id.
 *
 * @throws Error when it is another's, or when a restored ledger could not be asked about
 */
export async function bindLedger(
  config: Config,
  ledger: Ledger,
  { clock = systemClock, log = () => {}, restored = false }: BindOptions = {},
): Promise<void> {
  const own = {
    binding: `${config.mode} ${config.service.base_url}`,
    // two shops on one ledger would read each other's orders as their own
    public_url: config.public_url,
    // another prefix would give a standing order a second request_id
    request_id_prefix: config.request_id_prefix,
  };
  if (config.mode === 'live' && (await ledger.setting('binding')) === null)
    log('warn', 'ledger', {
      message:
        'a new ledger is begun; if this shop had one, stop the relay and put it back: ' +
        'its orders would be placed again',
    });
  for (const [name, value] of Object.entries(own)) {
    const bound = await ledger.keepSetting(name, value);
    if (bound === value) continue;
    const what = name === 'binding' ? '' : `${name} `;
    throw new Error(`ledger: belongs to ${what}"${bound}", the configuration says "${value}"`);
  }
  await createIdentity(config, ledger).ready();
  if (config.mode === 'live' && !config.request_id_key)
    log('warn', 'config', {
      message:
        'request_id_key is absent: the key is kept in the ledger, and is lost with it; ' +
        'write "request_id_key": {"env": "REQUEST_ID_KEY"}',
    });
  if (restored) await markRestored(config, ledger, clock);
}

async function markRestored(config: Config, ledger: Ledger, clock: Clock): Promise<void> {
  if (config.service.not_found_codes.length === 0)
    throw new Error(
      '--restored: needs service.not_found_codes, the codes by which the service says that it ' +
        'does not know an order; without them every new order would wait for a person',
    );
  const time = createLedgerClock(ledger, clock, () => {});
  await time.sync();
  await ledger.writeSetting(RESTORED_AT, String(time.ageNow()));
  // cursors and sequences of before the restore do not belong to what is written now
  await ledger.writeSetting('epoch', crypto.randomUUID());
}
