/**
 * HMAC capabilities over a request_id. `order` reads or replaces one order, `notify` signals a
 * change of it, and neither does the other's work.
 */
import { base64urlnopad } from '@scure/base';
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import { remember } from '../remember.js';

export type Purpose = 'order' | 'notify';
export type Capabilities = {
  mint(purpose: Purpose, requestId: string): Promise<string>;
  verify(purpose: Purpose, requestId: string, capability: string): Promise<boolean>;
  /** @throws when the keys cannot be loaded */
  ready(): Promise<void>;
};

type Key = { kid: string; key: CryptoKey };

const MAC = /^[A-Za-z0-9_-]{43}$/;
/** The key that the ledger keeps. */
const MINTED_KID = 'm';

/**
 * Without configured keys one is minted once and kept in the ledger. The first key mints and all
 * verify, so keys can be rotated.
 */
export function createCapabilities(
  config: Config,
  ledger: Pick<Ledger, 'keepSetting'>,
): Capabilities {
  const keys = remember(() => loadKeys(config, ledger));
  return {
    mint: async (purpose, requestId) => {
      const [first] = await keys();
      if (!first) throw new Error('no capability key');
      const mac = await crypto.subtle.sign('HMAC', first.key, message(purpose, requestId));
      return `${first.kid}.${base64urlnopad.encode(new Uint8Array(mac))}`;
    },
    verify: async (purpose, requestId, capability) => {
      const [kid, mac = ''] = capability.split('.');
      const known = (await keys()).find((candidate) => candidate.kid === kid);
      if (!known || !MAC.test(mac)) return false;
      const bytes = decode(mac);
      if (!bytes) return false;
      return crypto.subtle.verify('HMAC', known.key, bytes, message(purpose, requestId));
    },
    ready: async () => void (await keys()),
  };
}

async function loadKeys(config: Config, ledger: Pick<Ledger, 'keepSetting'>): Promise<Key[]> {
  const minted = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)));
  const secrets = [
    ...config.capability_keys.map(({ kid, secret }) => ({ kid, secret: secret.reveal() })),
    // also beside configured keys: what was minted before they were configured stays true
    { kid: MINTED_KID, secret: await ledger.keepSetting('capability_key', minted) },
  ];
  return Promise.all(
    secrets.map(async ({ kid, secret }) => ({
      kid,
      key: await crypto.subtle.importKey(
        'raw',
        new TextEncoder().encode(secret),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign', 'verify'],
      ),
    })),
  );
}

const message = (purpose: Purpose, requestId: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${purpose}:${requestId}`);

/** A text whose spare bits are not zero is not canonical, and refused. */
function decode(mac: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64urlnopad.decode(mac));
  } catch {
    return null;
  }
}
