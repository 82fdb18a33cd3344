/** Reads a body: JSON, of limited size, and of the endpoint's form. */
import type { z } from 'zod';
import { Failure } from '../contract/failure.js';
import { readBytes } from '../contract/read-bytes.js';
import { firstWrongField } from '../contract/wrong-field.js';
import { decodeUtf8 } from '../utf8.js';

const MAX_BODY_BYTES = 16_384;

const hasType = ({ headers }: Request, type: RegExp): boolean =>
  type.test(headers.get('content-type') ?? '');

/** Whether a browser sends the request to another origin without a preflight. */
export const isSimple = (request: Request): boolean => hasType(request, /^text\/plain\s*(;|$)/i);

/**
 * @param alsoSimple whether JSON may be sent as `text/plain`
 * @param maxBytes more than the default only where strangers send nothing
 * @throws Failure `content_type_refused`, `body_too_large`, or `invalid_request` with the field
 */
export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  alsoSimple = false,
  maxBytes = MAX_BODY_BYTES,
): Promise<T> {
  if (!hasType(request, /^application\/json\s*(;|$)/i) && !(alsoSimple && isSimple(request)))
    throw new Failure(
      'content_type_refused',
      `content-type must be application/json${alsoSimple ? ' or text/plain' : ''}`,
    );
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Failure(
      'invalid_request',
      'the body is compressed; send it without content-encoding',
    );
  const bytes = await readBounded(request, maxBytes).catch((error: unknown) => {
    throw error instanceof Failure ? error : bodyCutShort();
  });
  return parseFields(schema, parseJson(decoded(bytes)));
}

/** @throws Failure `invalid_request` that names the first wrong field */
export function parseFields<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const { field, problem } = firstWrongField(parsed.error);
  throw new Failure(
    'invalid_request',
    field === '' ? problem : `${field}: ${problem}`,
    field || undefined,
  );
}

const tooLarge = (maxBytes: number): Failure =>
  new Failure('body_too_large', `a body has at most ${maxBytes} bytes`);

/** The page was closed while it sent the body, so this is no failure of the relay. */
const bodyCutShort = (): Failure =>
  new Failure('invalid_request', 'the body is shorter than its content-length');

/** @throws Failure `body_too_large`, or the error of a body that is cut short */
export async function readBounded(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // With Content-Length the server reads at most that many bytes, so this is bounded. It also
  // saves several kilobytes for each long poll. Transfer-Encoding overrides Content-Length (RFC
  // 9112, 6.3). `request.body` is undefined in Firefox, where the integration tests run the relay.
  const { headers } = request;
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const hasLength = headers.has('content-length') && !headers.has('transfer-encoding');
  if (hasLength || !request.body) {
    const whole = new Uint8Array(await request.arrayBuffer());
    // this check matters only without a length
    if (whole.length > maxBytes) throw tooLarge(maxBytes);
    return whole;
  }
  const whole = await readBytes(request, maxBytes);
  if (!whole) throw tooLarge(maxBytes);
  return whole;
}

function decoded(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new Failure('invalid_request', 'the body is not UTF-8');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid_request', 'the body is not JSON');
  }
}
