/** The service's six operations: path, request and the answer's data. */
import { z } from 'zod';
import { amountText } from '../contract/requests.js';
import { statusNumber } from '../contract/status-number.js';

const required = z.string().min(1);
const optional = z.string().optional();
/** Differs from every request_id, currency and amount: none of them contains parentheses. */
const UNREADABLE = '(unreadable)';

const digitsOrText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/**
 * A value that the service echoes; its document does not show the form. Null counts as absent, and
 * a number as its digits. Anything else becomes `UNREADABLE`.
 */
const echoed = z
  .unknown()
  .optional()
  .transform((value) =>
    value === undefined || value === null ? undefined : (digitsOrText(value) ?? UNREADABLE),
  );
/**
 * A code or link of an answer. The replacement character stands for bytes that are not UTF-8: the
 * code that it would be drawn as is not the service's.
 */
const link = z
  .string()
  .regex(/^[^\uFFFD]*$/, 'not UTF-8')
  .nullish();
/** The service's number of an order. Anything but a text or a number counts as absent. */
const orderNumber = z
  .unknown()
  .optional()
  .transform((value) => digitsOrText(value) ?? undefined);
/** Customer data, which the document requires as a JSON string. */
const customerJson = z
  .strictObject({ email: z.string(), phone: z.string(), name: z.string() })
  .partial()
  .transform((customer) => JSON.stringify(customer))
  .optional();

type Conditions<T> = (body: T) => (keyof T & string)[];

/** Fields that another field makes required. */
const requiredWhen =
  <T extends object>(conditions: Conditions<T>) =>
  (body: T, context: z.RefinementCtx<T>): void => {
    for (const field of conditions(body))
      if (body[field] === undefined || body[field] === '')
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'required here',
          input: body[field],
        });
  };

const depositAddressRequest = z.strictObject({
  currency: required,
  customer_ref_id: required,
  description: optional,
});

const queryRequest = z.strictObject({ request_id: required, order_no: optional });

const withdrawRequest = z.strictObject({
  request_id: required,
  currency: required,
  address: required,
  tag: optional,
  amount: amountText,
  notify_url: optional,
  customer_ref_id: required,
  description: optional,
});

const verifyDepositAddressRequest = z.strictObject({
  currency: required,
  address: required,
  tag: optional,
});

const payRequest = z
  .strictObject({
    request_id: required,
    payment_method: z.enum(['on_line', 'direct', 'on_chain']),
    amount: amountText,
    currency: required,
    pay_currency: optional,
    product_name: required,
    remark: optional,
    return_url: optional,
    notify_url: optional,
    customer_ref_id: required,
    customer: customerJson,
    payment_type: optional,
    payment_channel: optional,
  })
  .superRefine(
    requiredWhen((body) =>
      body.payment_method === 'direct' ? ['payment_type', 'payment_channel'] : [],
    ),
  );

const payoutRequest = z
  .strictObject({
    request_id: required,
    payout_method: z.enum(['bank_transfer', 'wallet_transfer']),
    account_type: z.enum(['PHONE', 'EMAIL', 'CPF', 'CNPJ']).optional(),
    account_no: required,
    account_name: z.string().min(5).max(100),
    country: required,
    bank_code: optional,
    wallet_code: optional,
    settle_currency: required,
    amount: amountText,
    currency: required,
    remark: z.string().max(40).optional(),
    bank_routing_code: z.string().max(100).optional(),
    document_type: optional,
    document_id: optional,
    phone: required,
    email: required,
    notify_url: optional,
  })
  .superRefine(
    requiredWhen((body) =>
      body.payout_method === 'wallet_transfer' ? ['account_type', 'wallet_code'] : ['bank_code'],
    ),
  );

/**
 * The document allows at most one of the three links. The schema accepts more, so that the relay
 * can put such an order into review. An answer without a status still has its link, which no query
 * brings back.
 */
const payOrder = z.object({
  request_id: echoed,
  partner_id: echoed,
  order_no: orderNumber,
  currency: echoed,
  order_amount: echoed,
  status: statusNumber.nullish().transform((status) => status ?? undefined),
  payment_method: echoed,
  qrcode_string: link,
  checkout_url: link,
  wallet_url: link,
});

/** What the relay reads of an answer to query; only `status` is required. */
export const queriedOrder = z.object({
  status: statusNumber,
  order_no: orderNumber,
  request_id: echoed,
  currency: echoed,
  order_amount: echoed,
});

const depositAddress = z.object({
  currency: z.string(),
  address: z.string().min(1),
  /**
   * The document allows an empty tag. It does not mention an absent tag, whose meaning is unknown.
   */
  tag: z
    .string()
    .nullish()
    .transform((tag) => tag ?? undefined),
});

/**
 * The document does not show the response body: the envelope's code is the answer. The body may be
 * anything, and is passed on with all digits of its numbers.
 */
const undocumented = z.unknown();

export const operations = {
  depositAddress: {
    path: '/v1/order/deposit_address',
    request: depositAddressRequest,
    data: depositAddress,
  },
  query: { path: '/v1/order/query', request: queryRequest, data: undocumented },
  withdraw: { path: '/v1/order/withdraw', request: withdrawRequest, data: undocumented },
  verifyDepositAddress: {
    path: '/v1/order/verifyDepositAddress',
    request: verifyDepositAddressRequest,
    data: undocumented,
  },
  pay: { path: '/v1/order/pay', request: payRequest, data: payOrder },
  payout: { path: '/v1/order/payout', request: payoutRequest, data: undocumented },
} as const;

/** The document does not show the responses to on_line and on_chain: they may have no data. */
const undocumentedPayOrder = z.preprocess((data) => data ?? {}, payOrder);

type Operations = typeof operations;
export type OperationName = keyof Operations;
/** What a schema reads; the type does not show the fields that a method requires. */
export type RequestToCheck<N extends OperationName> = z.input<Operations[N]['request']>;
type AccountType = NonNullable<RequestToCheck<'payout'>['account_type']>;
/** The fields that a method requires, as the schemas do by `requiredWhen`. */
type ByMethod = {
  pay:
    | { payment_method: 'direct'; payment_type: string; payment_channel: string }
    | { payment_method: 'on_line' | 'on_chain' };
  payout:
    | { payout_method: 'bank_transfer'; bank_code: string }
    | { payout_method: 'wallet_transfer'; account_type: AccountType; wallet_code: string };
};
/** What the caller gives; `customer` is given as an object and sent as a JSON string. */
export type RequestOf<N extends OperationName> = RequestToCheck<N> &
  (N extends keyof ByMethod ? ByMethod[N] : unknown);
export type QueriedOrder = z.output<typeof queriedOrder>;
export type DataOf<N extends OperationName> = z.output<Operations[N]['data']>;

export function answerSchema<N extends OperationName>(
  name: N,
  request: RequestToCheck<OperationName>,
): z.ZodType<DataOf<N>> {
  const isUndocumented = 'payment_method' in request && request.payment_method !== 'direct';
  const schema: z.ZodType = isUndocumented ? undocumentedPayOrder : operations[name].data;
  return schema as z.ZodType<DataOf<N>>;
}
