/** Checks that the relay sent an event, as Standard Webhooks v1 says (standardwebhooks.com). */
import { readEvent, type ShopEvent } from './event.js';
import { joinBytes } from '../../relay/contract/read-bytes.js';
import { fromBase64, hmacKey, secretBytes, utf8 } from './secret.js';

export type EventErrorCode = 'bad_signature' | 'too_old' | 'bad_body';

/** `too_old` means that the time of the signature differs from now by more than the tolerance. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly code: EventErrorCode;
  constructor(code: EventErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The headers, in the form of fetch or of Node.js. */
export type EventHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;
/** The raw body; the signature of a parsed body cannot be checked. */
export type EventBody = string | Uint8Array | ArrayBuffer;
export type VerifyOptions = {
  /** Seconds, not negative, by which the time of the signature may differ from now; default 300. */
  tolerance_s?: number | undefined;
  /** Milliseconds since 1970; by default the system clock. */
  now?: number | (() => number) | undefined;
};

/** A library may bring a class `Headers` of its own, as undici does. */
const isHeaders = (headers: EventHeaders): headers is Headers => typeof headers.get === 'function';

const headerOf = (headers: EventHeaders, name: string): string => {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(value) ? value.join(' ') : value) ?? '';
};

type Signed = { id: string; at: string; signatures: readonly string[] };

const badSignature = (): EventError =>
  new EventError(
    'bad_signature',
    'its signature does not match: compare the secret with shop_events.secret of the relay, and ' +
      'give the body as it came, not parsed and written again',
  );

/**
 * What the headers say of the signature, before the body is read.
 *
 * @throws EventError `bad_signature` when they cannot belong to an event
 */
export function readSignature(headers: EventHeaders): Signed {
  const id = headerOf(headers, 'webhook-id');
  const at = headerOf(headers, 'webhook-timestamp');
  // a header that was sent twice is joined by ", "
  const signatures = headerOf(headers, 'webhook-signature')
    .split(/,? +/)
    .flatMap((signature) => SIGNATURE.exec(signature)?.[1] ?? []);
  if (id === '' || !/^\d{1,12}$/.test(at) || signatures.length === 0) throw badSignature();
  return { id, at, signatures };
}

/** HMAC-SHA-256 in base64, behind the version of Standard Webhooks. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * @param secrets `shop_events.secret`, or the old and the new secret during a rotation
 * @returns the event; handle each `id` once
 * @throws EventError
 * @throws TypeError when a secret is empty or is not base64 after `whsec_`, the body was parsed, or
 *   `tolerance_s` is not a number
 */
export async function verifyEvent(
  body: EventBody,
  headers: EventHeaders,
  secrets: string | readonly string[],
  { now = Date.now, tolerance_s = 300 }: VerifyOptions = {},
): Promise<ShopEvent> {
  // a shop that does not check types may pass an environment variable that is not set
  const secretList = typeof secrets === 'string' ? [secrets] : (secrets ?? []);
  const keys = secretList.map(secretBytes);
  if (keys.length === 0) throw new TypeError('the secret of shop_events is missing or empty');
  if (!(tolerance_s >= 0)) throw new TypeError('tolerance_s must be a number of seconds');
  const { at, id, signatures } = readSignature(headers);
  if (typeof body === 'object' && !(body instanceof Uint8Array || body instanceof ArrayBuffer))
    throw new TypeError('the body was parsed: its signature covers the raw bytes');
  const bytes = typeof body === 'string' ? utf8(body) : new Uint8Array(body);
  const signed = joinBytes([utf8(`${id}.${at}.`), bytes]);
  if (!(await isSigned(signed, signatures, keys))) throw badSignature();
  const atMs = Number(at) * 1000;
  const nowMs = typeof now === 'number' ? now : now();
  // a clock that is no number must refuse the event too
  if (!(Math.abs(nowMs - atMs) <= tolerance_s * 1000))
    throw new EventError('too_old', `the event was signed at ${new Date(atMs).toISOString()}`);
  const event = readEvent(id, parse(new TextDecoder().decode(bytes)));
  if (!event) throw new EventError('bad_body', 'the body is not that of an event');
  return event;
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  keys: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  for (const bytes of keys) {
    const key = await hmacKey(bytes, 'verify');
    for (const signature of signatures) {
      // `verify` takes the same time for every wrong signature
      const mac = fromBase64(signature, 'the signature');
      if (await crypto.subtle.verify('HMAC', key, mac, signed)) return true;
    }
  }
  return false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
