/** Finds weak secrets in a configuration: shared by two fields, too short, or in plain text. */
import type { Config } from './schema.js';
import type { Secret } from './secrets.js';

const EVENTS_SECRET = 'shop_events.secret';

/**
 * The fields' secrets are known to different people, so whoever knows one of two equal ones would
 * also have the access of the other.
 *
 * @returns pairs of fields with the same secret; the field that was read first comes second
 */
export function sharedSecrets(config: Config): [string, string][] {
  const seen = new Map<string, string>();
  const pairs: [string, string][] = [];
  for (const [path, secret] of secretsOf(config)) {
    const other = seen.get(secret.reveal());
    if (other === undefined) seen.set(secret.reveal(), path);
    else if (other !== path) pairs.push([path, other]);
  }
  return pairs;
}

function secretsOf(config: Config): (readonly [path: string, Secret])[] {
  const { capability_keys, operator, order_token_keys, request_id_key, shop_events } = config;
  const byPath: Readonly<Record<string, readonly (Secret | undefined)[]>> = {
    order_token_keys: order_token_keys.map((key) => (key.alg === 'HS256' ? key.secret : undefined)),
    secret_key: config.secret_key ?? [],
    [EVENTS_SECRET]: shop_events?.secret ?? [],
    request_id_key: [request_id_key],
    capability_keys: capability_keys.map(({ secret }) => secret),
    'operator.key': [operator?.key],
    'operator.keys': (operator?.keys ?? []).map(({ key }) => key),
  };
  return Object.entries(byPath).flatMap(([path, secrets]) =>
    secrets.flatMap((secret) => (secret ? [[path, secret] as const] : [])),
  );
}

/** A ledger in use refuses a new key, which would give its orders other request_ids. */
export const NO_REQUEST_ID_KEY =
  'the key is kept in the ledger, and is lost with it; write {"env": "REQUEST_ID_KEY"}. Before ' +
  'the first order, its value is a new key. If the ledger is in use, it is the value of the ' +
  'ledger’s setting "request_id_key" ("Ledger and keys" in configure-the-relay says how)';

const MIN_LIVE_CHARACTERS = 32;
export function shortSecret(path: string): string {
  const prefix = path === EVENTS_SECRET ? 'whsec_ followed by ' : '';
  return (
    `shorter than ${MIN_LIVE_CHARACTERS} characters, so that it may be guessed; rotate it as ` +
    `"Rotate secrets" in run-the-relay says, to ${prefix}what "openssl rand -base64 32" prints`
  );
}

/**
 * Nothing slows down an attacker who guesses: a request with the right key is always answered, and
 * the key of a token can be guessed on the attacker's machine. Only a secret's length protects it.
 *
 * @returns the fields of live mode that have a short secret
 */
export const shortSecrets = (config: Config): string[] =>
  config.mode === 'test'
    ? []
    : [
        ...new Set(
          // an old key stays after the one that makes new capabilities
          secretsOf({ ...config, capability_keys: config.capability_keys.slice(0, 1) })
            .filter(([, secret]) => secret.reveal().length < MIN_LIVE_CHARACTERS)
            .map(([path]) => path),
        ),
      ];

/** @returns the field with a secret of events in plain text, if there is one */
export const plainEventsSecrets = ({ shop_events }: Config): string[] =>
  shop_events?.secret.some((secret) => !secret.reveal().startsWith('whsec_'))
    ? [EVENTS_SECRET]
    : [];
