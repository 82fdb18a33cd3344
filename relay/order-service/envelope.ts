/** The response envelope {code, message, data} of all operations. */
import { z } from 'zod';
import { firstWrongField } from '../contract/wrong-field.js';
import { OrderServiceError } from './errors.js';

const envelope = z.object({
  code: z.union([z.int(), z.string()]),
  message: z.string().nullish(),
  data: z.unknown().optional(),
});

/**
 * The envelope's data when its code is 200 or "200" and HTTP says success too.
 *
 * A 5xx or a 408, a timeout, never counts as a refusal, whatever its body says: a gateway may write
 * it after the service has done its work. A code of 200 with an HTTP status other than 2xx does not
 * count as success, because the two contradict each other.
 *
 * @throws OrderServiceError `refused` or `unreadable`
 */
export function readEnvelope<T>(answer: { status: number; text: string }, data: z.ZodType<T>): T {
  const { status: httpStatus } = answer;
  const parsed = envelope.safeParse(parseJson(answer.text, data instanceof z.ZodUnknown));
  if (!parsed.success)
    throw new OrderServiceError(
      'unreadable',
      `HTTP ${httpStatus} without the documented envelope`,
      { httpStatus },
    );
  const code = String(parsed.data.code);
  if (code !== '200') {
    if (httpStatus >= 500 || httpStatus === 408)
      throw new OrderServiceError('unreadable', `HTTP ${httpStatus}`, { code, httpStatus });
    throw new OrderServiceError('refused', `the order service refused with code ${code}`, {
      code,
      enveloped: true,
      httpStatus,
      serviceMessage: parsed.data.message ?? '',
    });
  }
  if (httpStatus < 200 || httpStatus > 299)
    throw new OrderServiceError('unreadable', `HTTP ${httpStatus} with code 200`, {
      code,
      httpStatus,
    });
  const result = data.safeParse(parsed.data.data);
  if (result.success) return result.data;
  const field = ['data', firstWrongField(result.error).field].filter(Boolean).join('.');
  throw new OrderServiceError('unreadable', `${field} is not as documented`, {
    enveloped: true,
    field,
    httpStatus,
  });
}

/** More digits than any double keeps. */
const MAX_DOUBLE_DIGITS = 15;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** The fields of `data` that may be numbers. Any other number stays a wrong type. */
const MAY_BE_NUMBERS = [
  'request_id',
  'partner_id',
  'order_no',
  'currency',
  'order_amount',
  'status',
  'payment_method',
];

const withFields = z.looseObject({ data: z.looseObject({}) });
const withAnything = z.looseObject({ data: z.unknown().optional() });

/**
 * Parses JSON. A number in `data` that a double would change becomes the text of its digits: a
 * rounded amount could equal the amount of the order, and a rounded order_no could name another
 * order.
 *
 * @param isPassedOn whether no schema reads `data`; then this holds for each number at any depth
 * @returns undefined when the text is not JSON
 */
function parseJson(text: string, isPassedOn: boolean): unknown {
  try {
    const rounded: unknown = JSON.parse(text);
    const exactText = text.replace(STRING_OR_NUMBER, (token) =>
      isExact(token) ? token : `"${token}"`,
    );
    if (exactText === text) return rounded;
    if (isPassedOn) {
      const { data } = withAnything.parse(JSON.parse(exactText));
      return { ...withAnything.parse(rounded), data };
    }
    const answer = withFields.safeParse(rounded);
    if (!answer.success) return rounded;
    const exact = withFields.parse(JSON.parse(exactText)).data;
    const data = Object.entries(answer.data.data).map(([name, value]) => [
      name,
      MAY_BE_NUMBERS.includes(name) ? exact[name] : value,
    ]);
    return { ...answer.data, data: Object.fromEntries(data) as unknown };
  } catch {
    return undefined;
  }
}

/** Whether a token is a string, or a number that JavaScript writes as it was, in plain digits. */
function isExact(token: string): boolean {
  if (token.startsWith('"')) return true;
  const digits = token.replace(/[eE].*$/, '').replace(/\D/g, '');
  return digits.length <= MAX_DOUBLE_DIGITS && /^-?\d+(\.\d+)?$/.test(String(Number(token)));
}
