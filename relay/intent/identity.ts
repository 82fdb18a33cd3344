/**
 * The identifiers that the relay gives: `request_id` for the order service, and the intent's id of
 * a page mode.
 *
 * Both are keyed digests, so nobody outside can choose or foresee one, and a ledger that was
 * restored from a backup derives the same ones again.
 */
import type { Config } from '../config/schema.js';
import type { IntentMode } from '../contract/order.js';
import { remember } from '../remember.js';

const VERSION = '1';
/** Bits of an identifier: 26 characters of 5 bits each. */
const CHARACTERS = 26;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** No `jti` can spell it: a token's identity has no point. */
const PAGE_PREFIX = 'web.';
const KEY = 'request_id_key';
const FINGERPRINT = 'request_id_key_fingerprint';

export type Identity = {
  /** The intent that an attempt of a page leads to, unless the ledger knows another one. */
  intentIdOf(attempt: string): Promise<string>;
  /** @param ordinal 1 for the intent's first order */
  requestId(mode: IntentMode, intentId: string, ordinal: number): Promise<string>;
  /** @throws when the ledger was used with another key, or cannot be read */
  ready(): Promise<void>;
};

/** The part of the ledger that keeps the key. */
export type Settings = { keepSetting(name: string, value: string): Promise<string> };

export function createIdentity(config: Config, settings: Settings): Identity {
  const key = remember(() => loadKey(config, settings));
  const place = [VERSION, config.mode, config.public_url];
  const derive = async (...fields: string[]): Promise<string> =>
    toLetters(await digest(await key(), [...place, ...fields]));
  return {
    intentIdOf: async (attempt) => PAGE_PREFIX + (await derive('attempt', attempt)),
    requestId: async (mode, intentId, ordinal) =>
      config.request_id_prefix + (await derive(mode, intentId, String(ordinal))),
    ready: async () => void (await key()),
  };
}

export const isPageIntent = (intentId: string): boolean => intentId.startsWith(PAGE_PREFIX);

/** What names a guest: the digest of a page's intent, or the id that an older ledger gave it. */
export const guestOf = (intentId: string): string =>
  isPageIntent(intentId) ? intentId.slice(PAGE_PREFIX.length) : intentId;

async function loadKey(config: Config, settings: Settings): Promise<CryptoKey> {
  const secret = config.request_id_key?.reveal() ?? (await mintedKey(settings));
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const fingerprint = toLetters(await digest(key, ['fingerprint']));
  if ((await settings.keepSetting(FINGERPRINT, fingerprint)) !== fingerprint)
    throw new Error(
      'request_id_key: the ledger was used with another key; ' +
        'another key would give a standing order a second request_id',
    );
  return key;
}

const mintedKey = ({ keepSetting }: Settings): Promise<string> => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return keepSetting(KEY, hex);
};

/** Each field carries its length in bytes, so two lists of fields never read the same. */
async function digest(key: CryptoKey, fields: readonly string[]): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const message = fields.map((field) => `${encoder.encode(field).length}:${field}`).join('');
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(message)));
}

/** The first 130 bits, five to a character. */
function toLetters(bytes: Uint8Array): string {
  let letters = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5 && letters.length < CHARACTERS) {
      bits -= 5;
      letters += ALPHABET[(held >> bits) & 31] ?? '';
    }
    held &= (1 << bits) - 1;
  }
  return letters;
}
