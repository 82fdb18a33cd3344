/** Sends the requests of the shop's backend to the relay, with the secret key. */
import { readBytes } from '../../relay/contract/read-bytes.js';

export type RelayAccess = {
  /** Address of the relay, for example `https://shop.example/pay`. */
  relay: string;
  secret_key: string;
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

/** A failure that the relay answered; `code` is `no_answer` when the relay did not answer. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

const MAX_WAIT_MS = 10_000;
/** Longer than a list of 500 events, the longest answer of the relay. */
const MAX_ANSWER_BYTES = 16_777_216;

type Answer = { status: number; text: string };
type Refusal = { error?: { code?: unknown; message?: unknown } | null };

async function send(
  access: RelayAccess,
  path: string,
  body: object,
  waitMs = MAX_WAIT_MS,
): Promise<Answer> {
  const { fetch = globalThis.fetch, relay, secret_key } = access;
  try {
    const response = await fetch(relay.replace(/\/+$/, '') + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret_key}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(waitMs),
    });
    const bytes = await readBytes(response, MAX_ANSWER_BYTES);
    if (!bytes) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  } catch (cause) {
    const isUrl = /^https?:\/\//i.test(relay) && URL.canParse(relay);
    const why = isUrl ? `no answer from ${addressOf(relay)}` : 'relay: expected an http(s) URL';
    throw new RelayError('no_answer', 0, `${path}: ${why}`, { cause });
  }
}

/** @returns null when the text is not a JSON object, for example when a proxy has answered */
function readObject<T>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as T) : null;
  } catch {
    return null;
  }
}

/** Without a user and a query, which may be secrets. */
function addressOf(relay: string): string {
  if (!URL.canParse(relay)) return relay;
  const { origin, pathname } = new URL(relay);
  return origin + pathname.replace(/\/+$/, '');
}

function refusal(relay: string, path: string, { status, text }: Answer): RelayError {
  const { code, message: why } = readObject<Refusal>(text)?.error ?? {};
  // something else may have answered, such as {"error": "Not Found"} of the shop's own server
  if (typeof code === 'string') return new RelayError(code, status, `${path}: ${String(why)}`);
  const message = `${path}: HTTP ${status} from ${addressOf(relay)}, and no answer of a relay`;
  return new RelayError('no_answer', status, message);
}

/**
 * @param field a field that every answer of the relay has, and the JSON of a proxy has not
 * @param waitMs the longest wait for the answer
 * @throws RelayError
 */
export async function post<T extends object>(
  access: RelayAccess,
  path: string,
  body: object,
  { field, waitMs }: { field: keyof T & string; waitMs?: number },
): Promise<T> {
  const answer = await send(access, path, body, waitMs);
  const read = readObject<T & Refusal>(answer.text);
  if (answer.status !== 200 || read === null || !(field in read))
    throw refusal(access.relay, path, answer);
  return read;
}

/**
 * @param mark a text that every answer of the relay contains, and the page of a proxy does not
 * @throws RelayError
 */
export async function postForHtml(
  access: RelayAccess,
  path: string,
  body: object,
  mark: string,
): Promise<string> {
  const answer = await send(access, path, body);
  if (answer.status !== 200 || !answer.text.includes(mark))
    throw refusal(access.relay, path, answer);
  return answer.text;
}
