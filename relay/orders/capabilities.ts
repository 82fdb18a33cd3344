/** HMAC capabilities over a request_id: `order` reads or replaces one order, `notify` rings its doorbell, and neither does the other's work. */
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';

export type Purpose = 'order' | 'notify';
export type Capabilities = {
  mint(purpose: Purpose, requestId: string): Promise<string>;
  verify(purpose: Purpose, requestId: string, capability: string): Promise<boolean>;
};

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return null;
  return Uint8Array.from(atob(`${text.replaceAll('-', '+').replaceAll('_', '/')}=`), (char) =>
    char.charCodeAt(0),
  );
}

/** Without configured keys one is minted once and kept in the ledger. The first key mints, all verify: so keys can be rotated. */
export function createCapabilities(config: Config, ledger: Ledger): Capabilities {
  let keys: Promise<{ kid: string; key: CryptoKey }[]> | undefined;
  const load = async (): Promise<{ kid: string; key: CryptoKey }[]> => {
    const minted = base64url(crypto.getRandomValues(new Uint8Array(32)));
    const secrets = [
      ...config.capability_keys.map(({ kid, secret }) => ({ kid, secret: secret.reveal() })),
      // also beside configured keys: what was minted before they were configured stays true
      { kid: 'm', secret: await ledger.keepSetting('capability_key', minted) },
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
  };
  const loaded = (): Promise<{ kid: string; key: CryptoKey }[]> => (keys ??= load());
  const message = (purpose: Purpose, requestId: string): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(`${purpose}:${requestId}`);

  return {
    mint: async (purpose, requestId) => {
      const [first] = await loaded();
      if (!first) throw new Error('no capability key');
      return `${first.kid}.${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', first.key, message(purpose, requestId))))}`;
    },
    verify: async (purpose, requestId, capability) => {
      const [kid, mac = ''] = capability.split('.');
      const known = (await loaded()).find((candidate) => candidate.kid === kid);
      const bytes = fromBase64url(mac);
      return (
        known !== undefined &&
        bytes !== null &&
        crypto.subtle.verify('HMAC', known.key, bytes, message(purpose, requestId))
      );
    },
  };
}
