/** Schemas of the requests of pages and shop backends; they refuse unknown fields. */
import { z } from 'zod';
import { CONTACT_EXAMPLES, MAX_TYPED_CHARACTERS, readContact } from './customer.js';
import { asAmount, isAmount } from './decimal.js';
import { metadata } from './metadata.js';
import type { IntentMode } from './order.js';
import type { CustomerField } from './responses.js';
import { isPageText, isVisibleTag } from './visible-text.js';
import { MAX_WAIT_S } from './paths.js';

/**
 * A text that every ledger keeps as it is. U+0000 and lone surrogates are refused: a ledger cuts or
 * replaces them, so that two different texts, such as the ids of two customers, would become equal.
 */
const keptAsItIs = (text: z.ZodString) =>
  text
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f]*$/, {
      error: 'a text without control characters',
    })
    .refine((value) => !/\p{Cs}/u.test(value), { error: 'a text of whole characters' });
export const text = (max: number) => keptAsItIs(z.string().trim().min(1).max(max));
export const untrimmedText = (max: number) => keptAsItIs(z.string().min(1).max(max));
/** For a refinement: the error for a text that `isPageText` refuses. */
export const withoutInvisible = {
  error: 'a text without control, bidirectional or invisible characters',
};
/** A text that the customer reads above the amount. */
const pageText = (max: number) =>
  z.string().trim().min(1).max(max).refine(isPageText, withoutInvisible);
/** An identifier that the relay or the shop made: of an intent, an order, an event or a link. */
export const identifier = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\0'), { error: 'a text without the character U+0000' });
/** A currency as the order service names it: `USD`, `USDT.TRC20`. */
const CURRENCY_CODE = /^[A-Za-z0-9._-]{1,24}$/;
export const isCurrencyCode = (text: string): boolean => CURRENCY_CODE.test(text);
export const currencyCode = z.string().regex(CURRENCY_CODE, { error: 'a currency code' });

/** A crypto asset to deposit, whose name has no documented form: `USDT (TRC20)`, `BNB/BSC`. */
export const assetName = z
  .string()
  .min(1)
  .max(64)
  .refine(isVisibleTag, { error: 'a name without invisible characters, or spaces at an end' });
export const amountText = z.string().refine(isAmount, asAmount);
/** A customer as the shop names one, such as `auth0|507f`, in a token, a link or a request. */
export const customerRef = untrimmedText(500);
/** A customer as a page names one. */
const reference = z
  .string()
  .regex(/^[\w.:@+-]{1,64}$/, { error: '1 to 64 characters of A-Z a-z 0-9 _ . : @ + -' });
/** The nil and the all-f UUID are placeholders: pages that send one would share an intent. */
const attempt = z
  .guid()
  .toLowerCase()
  .refine((value) => !/^[0-]+$|^[f-]+$/.test(value), { error: 'a random UUID' });
/** The form of an order token's `jti`. */
export const tokenId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,56}$/, { error: '8 to 56 characters of A-Z a-z 0-9 _ -' });
const returnUrl = z.url({ protocol: /^https?$/ }).max(2048);
/** The fields that an intent may have in any of the three modes. */
const intentFields = {
  order_token: z.string().min(1).max(8192).optional(),
  /** `sku` and `quantity` are for the catalogue mode only. */
  sku: text(64).optional(),
  quantity: z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,4}$/)
          .transform(Number),
      ],
      { error: 'a whole number' },
    )
    .optional(),
  amount: amountText.optional(),
  currency: currencyCode.optional(),
  pay_currency: currencyCode.optional(),
  product_name: pageText(500).optional(),
  remark: pageText(500).optional(),
  customer_ref_id: reference.optional(),
  return_url: returnUrl.optional(),
};

/** The payment as a page requests it; intent/ turns it into an OrderIntent or refuses it. */
export type IntentRequest = z.infer<z.ZodObject<typeof intentFields>>;

type Field = Exclude<keyof IntentRequest, 'order_token'>;
/** Fields that are set in every mode; any other field may be null. */
type AlwaysKnown = 'amount' | 'currency' | 'product_name' | 'customer_ref_id';

/** The checked terms of an intent, with its mode. */
export type IntentTerms = { readonly mode: IntentMode } & {
  readonly [K in Field]-?: NonNullable<IntentRequest[K]> | (K extends AlwaysKnown ? never : null);
};

/**
 * Accepts the intent's fields in the body itself, or nested under `intent`. A field in both places
 * is refused, because the relay cannot know which of the two the page means.
 */
const flattened = <T extends z.ZodType>(schema: T) =>
  z.preprocess((body, { issues }) => {
    if (typeof body !== 'object' || body === null || !('intent' in body)) return body;
    const { intent, ...rest } = body as { intent: unknown };
    if (typeof intent !== 'object' || intent === null || Array.isArray(intent)) return body;
    const twice = Object.keys(intent).some((name) => Object.hasOwn(rest, name));
    if (twice)
      issues.push({
        code: 'custom',
        message: 'a field stands both in the body and under intent',
        path: ['intent'],
        input: body,
      });
    return { ...intent, ...rest };
  }, schema);

/** A text that cannot be read becomes empty, and is refused with an example. */
const contact = (field: CustomerField) =>
  z
    .string()
    .max(MAX_TYPED_CHARACTERS)
    .overwrite((typed) => readContact(field, typed) ?? '')
    .min(1, { error: `write it like ${CONTACT_EXAMPLES[field]}` });
export const customer = z
  .strictObject({ email: contact('email'), phone: contact('phone'), name: contact('name') })
  .partial();

/** Forwarded to the service, never stored and never logged. */
export type Customer = z.infer<typeof customer>;

/** Reopens an order on another device; `order_key` is the capability to read it. */
const resume = z.strictObject({ request_id: identifier, order_key: identifier });
export type Resume = z.infer<typeof resume>;

export const checkoutRequest = flattened(
  z
    .strictObject({ ...intentFields, attempt: attempt.optional(), resume: resume.optional() })
    // a resumed order must not be shown with the product name of another intent
    .refine((body) => body.resume === undefined || Object.keys(body).length === 1, {
      error: 'either a resume or an intent',
      path: ['resume'],
    }),
);

/** What the page showed or the backend sells; another order is refused with `not_as_expected`. */
const expected = z.strictObject({ amount: amountText, currency: currencyCode });

export const payRequest = flattened(
  z.strictObject({
    ...intentFields,
    option: text(64),
    attempt,
    customer: customer.optional(),
    replaces: resume.optional(),
    expect: expected.optional(),
  }),
);

export type PayRequest = z.infer<typeof payRequest>;

export const queryRequest = z.strictObject({
  request_id: identifier,
  order_key: identifier,
  known_status: z.int().nullable().optional(),
  known_version: z.int().optional(),
  wait: z.number().min(0).max(MAX_WAIT_S).optional(),
});

/** Sent by the shop's backend with the secret key. */
export const backendQueryRequest = z
  .strictObject({
    request_id: identifier.optional(),
    intent_id: identifier.optional(),
    order_no: identifier.optional(),
    expect: expected.optional(),
  })
  .refine(
    ({ intent_id, order_no, request_id }) =>
      [intent_id, order_no, request_id].filter((id) => id !== undefined).length === 1,
    { error: 'one of request_id, intent_id and order_no', path: ['request_id'] },
  );

export const depositAddressRequest = z.strictObject({
  currency: assetName,
  deposit_token: z.string().min(1).max(8192).optional(),
  customer_ref_id: reference.optional(),
});

/** What the shop's backend sells by a token or a link. */
export const saleFields = {
  amount: amountText,
  currency: currencyCode,
  product_name: pageText(500),
  customer_ref_id: customerRef,
  jti: tokenId.optional(),
  pay_currency: currencyCode.optional(),
  remark: pageText(500).optional(),
  options: z.array(text(64)).min(1).max(50).optional(),
  return_url: returnUrl.optional(),
  metadata: metadata.optional(),
};
