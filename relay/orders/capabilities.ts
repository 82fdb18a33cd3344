/**
 * Capabilities of an order: keyed digests of its request_id. A capability for `order` reads or
 * replaces the order. A capability for `notify` signals a change of the order. The digest contains
 * the purpose, so a capability for one purpose is refused for the other.
 */
import { base64urlnopad } from '@scure/base';
import { MINTED_KID, type Config } from '../config/schema.js';
import { MINUTE_MS } from '../contract/durations.js';
import { Failure } from '../contract/failure.js';
import { areEqual, macWith, type Mac } from '../digest.js';
import type { Ledger } from '../ledger/ledger.js';
import { remember } from '../remember.js';

type Purpose = 'order' | 'notify';
/** Makes and checks capabilities of the form `<kid>.<mac>`. */
export type Capabilities = {
  mint(purpose: Purpose, requestId: string): Promise<string>;
  /** @throws Failure `service_unavailable` when another relay may have the key */
  verify(purpose: Purpose, requestId: string, capability: string): Promise<boolean>;
  /** @throws Error when the keys cannot be loaded */
  ready(): Promise<void>;
};

type Key = { kid: string; mac: Mac };

const MAC = /^[A-Za-z0-9_-]{43}$/;
/** For so long a relay that was reloaded first may have a key that this relay still lacks. */
const RELOADED_WITHIN_MS = 15 * MINUTE_MS;
/** A stranger can invent any number of kids. */
const MAX_UNKNOWN_KIDS = 100;

type Peers = {
  /** Whether other relays share the ledger. */
  present(): boolean;
  /** Steady time in milliseconds. */
  elapsed(): number;
};

/**
 * Uses the configured keys, and one key that is made once and kept in the ledger. The first key
 * mints and all keys verify, so that keys can be rotated.
 *
 * @param peers the other relays of the ledger. One that was reloaded first mints with a key that
 *   this relay lacks: a page that is told `order_unknown` would stop, and a signal that is
 *   acknowledged would be lost.
 */
export function createCapabilities(
  config: Config,
  ledger: Pick<Ledger, 'keepSetting'>,
  peers?: Peers,
): Capabilities {
  const keys = remember(() => loadKeys(config, ledger));
  /** When each unknown kid was first seen. While there is no room, any kid may be of a peer. */
  const unknownSince = new Map<string, number>();
  const mayBeOfPeer = (kid: string): boolean => {
    if (!peers?.present()) return false;
    const now = peers.elapsed();
    const isOver = (since: number): boolean => now - since >= RELOADED_WITHIN_MS;
    const since = unknownSince.get(kid) ?? now;
    if (unknownSince.size >= MAX_UNKNOWN_KIDS)
      for (const [other, at] of unknownSince) if (isOver(at)) unknownSince.delete(other);
    if (unknownSince.size < MAX_UNKNOWN_KIDS) unknownSince.set(kid, since);
    return !isOver(since);
  };
  return {
    mint: async (purpose, requestId) => {
      const [first] = await keys();
      if (!first) throw new Error('no capability key');
      return `${first.kid}.${base64urlnopad.encode(first.mac(message(purpose, requestId)))}`;
    },
    verify: async (purpose, requestId, capability) => {
      const [kid = '', mac = ''] = capability.split('.');
      const known = (await keys()).find((candidate) => candidate.kid === kid);
      if (!MAC.test(mac)) return false;
      if (!known && mayBeOfPeer(kid))
        throw new Failure('service_unavailable', 'another relay may have the key; ask again');
      if (!known) return false;
      const bytes = decode(mac);
      if (!bytes) return false;
      return areEqual(known.mac(message(purpose, requestId)), bytes);
    },
    ready: async () => void (await keys()),
  };
}

async function loadKeys(config: Config, ledger: Pick<Ledger, 'keepSetting'>): Promise<Key[]> {
  const minted = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)));
  const secrets = [
    ...config.capability_keys.map(({ kid, secret }) => ({ kid, secret: secret.reveal() })),
    // always the last key: capabilities that it minted before others were configured stay valid
    { kid: MINTED_KID, secret: await ledger.keepSetting('capability_key', minted) },
  ];
  return secrets.map(({ kid, secret }) => ({ kid, mac: macWith(secret) }));
}

const message = (purpose: Purpose, requestId: string): string => `${purpose}:${requestId}`;

/** @returns null for text that is not canonical base64url, such as one with wrong spare bits */
function decode(mac: string): Uint8Array | null {
  try {
    return base64urlnopad.decode(mac);
  } catch {
    return null;
  }
}
