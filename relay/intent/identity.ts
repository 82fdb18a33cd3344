/**
 * The identifiers that the relay makes: `request_id` for the order service, and `intent_id` for an
 * intent that comes from a page's attempt.
 *
 * Both are keyed digests, so no client can choose or predict an identifier, and a relay on a ledger
 * that was restored from a backup derives the same identifiers again.
 */
import { base32nopad, hex } from '@scure/base';
import { z } from 'zod';
import type { Config } from '../config/schema.js';
import type { IntentMode } from '../contract/order.js';
import { macWith, type Mac } from '../digest.js';
import { remember } from '../remember.js';

const VERSION = '1';
/** Each base32 character holds 5 bits, so an identifier holds 130. */
const ID_CHARACTERS = 26;
/**
 * Begins the intent_id of a page's attempt. The intent_id of a token is its `jti`, which contains
 * no full stop, so the two never collide.
 */
const PAGE_PREFIX = 'web.';
const KEY = 'request_id_key';
const FINGERPRINT = 'request_id_key_fingerprint';
/**
 * The setting with the `public_url` of the ledger's first relay. Identifiers are derived from it
 * also after the relay has moved: with another address an order would get a second request_id.
 */
export const IDENTITY_URL = 'identity_url';

/** The setting with the addresses that the relay had before it moved. */
export const FORMER_URLS = 'former_public_urls';
const formerUrls = z.array(z.strictObject({ public_url: z.string(), until: z.number() }));
/** `until`: when tokens for the address are no longer accepted. */
export type FormerUrl = z.infer<typeof formerUrls>[number];
export const readFormerUrls = (text: string): FormerUrl[] => formerUrls.parse(JSON.parse(text));

export type Identity = {
  /** The intent_id of a page's attempt. */
  intentIdOf(attempt: string): Promise<string>;
  /** The intent_id of a browser's attempt at a pay link with several uses. */
  linkIntentId(payLinkId: string, attempt: string): Promise<string>;
  /** @param ordinal 1 for the intent's first order */
  requestId(mode: IntentMode, intentId: string, ordinal: number): Promise<string>;
  /** The addresses that a token may be for: the relay's, and for a while those it had before. */
  audiences(now: number): Promise<string[]>;
  /** @throws when the ledger was used with another key, or cannot be read */
  ready(): Promise<void>;
};

export type Settings = {
  /** Stores the value unless the name has one, and returns the stored value. */
  keepSetting(name: string, value: string): Promise<string>;
  setting(name: string): Promise<string | null>;
};

export function createIdentity(config: Config, settings: Settings): Identity {
  const kept = remember(async () => ({
    key: await loadKey(config, settings),
    // part of every digest, so that two shops or modes never derive the same identifier
    scope: [VERSION, config.mode, await settings.keepSetting(IDENTITY_URL, config.public_url)],
    formerUrls: readFormerUrls(await settings.keepSetting(FORMER_URLS, '[]')),
  }));
  const derive = async (...fields: string[]): Promise<string> => {
    const { key, scope } = await kept();
    return toLetters(key(messageOf([...scope, ...fields])));
  };
  return {
    intentIdOf: async (attempt) => PAGE_PREFIX + (await derive('attempt', attempt)),
    linkIntentId: async (payLinkId, attempt) =>
      `${payLinkId}-${await derive('pay_link', payLinkId, attempt)}`,
    requestId: (mode, intentId, ordinal) => derive(mode, intentId, String(ordinal)),
    audiences: async (now) => {
      const former = (await kept()).formerUrls.filter(({ until }) => now < until);
      return [config.public_url, ...former.map(({ public_url }) => public_url)];
    },
    ready: async () => void (await kept()),
  };
}

export const isPageIntent = (intentId: string): boolean => intentId.startsWith(PAGE_PREFIX);

/** The identifier of a customer without a customer_ref_id: the digest in the intent_id. */
export const guestOf = (intentId: string): string => intentId.replace(PAGE_PREFIX, '');

async function loadKey(config: Config, settings: Settings): Promise<Mac> {
  const key = macWith(config.request_id_key?.reveal() ?? (await mintedKey(settings)));
  const bound = await settings.keepSetting(FINGERPRINT, fingerprintOf(key));
  if (bound === fingerprintOf(key)) return key;
  const minted = await settings.setting(KEY);
  const isMinted = minted !== null && bound === fingerprintOf(macWith(minted));
  throw new Error(
    `request_id_key: the ledger was used with ${isMinted ? 'a key of its own' : 'another key'}; ` +
      (isMinted
        ? 'leave the field out, or give it the value of the ledger’s setting "request_id_key" ' +
          '("Ledger and keys" in configure-the-relay says how), '
        : 'put that one back, ') +
      'because another key would give an existing order a second request_id',
  );
}

const fingerprintOf = (key: Mac): string => toLetters(key(messageOf(['fingerprint'])));

const mintedKey = ({ keepSetting }: Settings): Promise<string> => {
  const key = hex.encode(crypto.getRandomValues(new Uint8Array(32)));
  return keepSetting(KEY, key);
};

/** Each field carries its length in bytes, so no two lists of fields give the same message. */
const messageOf = (fields: readonly string[]): string =>
  fields.map((field) => `${new TextEncoder().encode(field).length}:${field}`).join('');

const toLetters = (bytes: Uint8Array): string =>
  base32nopad.encode(bytes).toLowerCase().slice(0, ID_CHARACTERS);
