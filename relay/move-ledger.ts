/**
 * Gives a ledger to a relay with another `public_url` or another `service.base_url`.
 *
 * Identifiers do not change: they are derived from the address that the ledger was born with. So a
 * customer who comes back after the move has the same intent, and the service knows its orders.
 */
import { bindingOf, compare, withoutWriting } from './bind-ledger.js';
import type { Config } from './config/schema.js';
import { FORMER_URLS, IDENTITY_URL, readFormerUrls, type FormerUrl } from './intent/identity.js';
import { LONGEST_USE_MS } from './intent/order-token.js';
import type { Ledger } from './ledger/ledger.js';

/** The values that the ledger belongs to, of the fields that change. */
export type FormerValues = { public_url?: string | undefined; base_url?: string | undefined };

export type Moved = { field: string; from: string; to: string };

/**
 * Everything is checked before the first setting is written. A move that was interrupted goes on
 * when it is run again.
 *
 * @returns what has changed; nothing when the ledger belongs to the configuration already
 * @throws Error when the ledger does not have the former values, or differs in what cannot change
 */
export async function moveLedger(
  config: Config,
  ledger: Ledger,
  former: FormerValues,
  now: number,
): Promise<Moved[]> {
  const [binding, publicUrl] = [
    await ledger.setting('binding'),
    await ledger.setting('public_url'),
  ];
  if (binding === null || publicUrl === null)
    throw new Error('ledger: no relay has used it, so there is nothing to move');
  const baseUrl = binding.slice(binding.indexOf(' ') + 1);
  const found = {
    public_url: checked('--public-url', former.public_url, publicUrl, config.public_url),
    base_url: checked('--base-url', former.base_url, baseUrl, config.service.base_url),
  };
  const asBefore = {
    ...config,
    public_url: found.public_url,
    service: { ...config.service, base_url: found.base_url },
  };
  const given = [
    ...(former.public_url === undefined ? [] : [`--public-url ${former.public_url}`]),
    ...(former.base_url === undefined ? [] : [`--base-url ${former.base_url}`]),
  ];
  await compare(asBefore, withoutWriting(ledger.setting), given);
  const moved: Moved[] = [];
  if (found.public_url !== config.public_url) {
    // kept before the address changes: afterwards a relay could not know it
    await ledger.keepSetting(IDENTITY_URL, publicUrl);
    await acceptTokensFor(ledger, { public_url: publicUrl, until: now + LONGEST_USE_MS });
    await ledger.writeSetting('public_url', config.public_url);
    moved.push({ field: 'public_url', from: publicUrl, to: config.public_url });
  }
  if (found.base_url !== config.service.base_url) {
    await ledger.writeSetting('binding', bindingOf(config));
    moved.push({ field: 'service.base_url', from: baseUrl, to: config.service.base_url });
  }
  return moved;
}

/**
 * @param former the value of the flag; without the flag the field must not differ
 * @returns the value with which the ledger is compared
 */
function checked(flag: string, former: string | undefined, bound: string, next: string): string {
  if (former === undefined || bound === next) return next;
  if (former === bound) return bound;
  throw new Error(`${flag}: the ledger belongs to ${bound}, not to ${former}`);
}

async function acceptTokensFor(ledger: Ledger, former: FormerUrl): Promise<void> {
  const known = readFormerUrls((await ledger.setting(FORMER_URLS)) ?? '[]');
  const others = known.filter(({ public_url }) => public_url !== former.public_url);
  await ledger.writeSetting(FORMER_URLS, JSON.stringify([...others, former]));
}
