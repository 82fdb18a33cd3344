/**
 * The body of a stored intent: JSON of the intent with its orders. Fields that have no value are
 * left out, so that the body of a usual intent stays in the page of its row.
 */
import { z } from 'zod';
import { codeAmount, intentModes, nextAction, outcome } from '../contract/order.js';
import type { Intent } from './intent.js';
import { reviewReasons } from '../contract/review-reasons.js';
import { resolutions, sendings } from './rows.js';

const time = z.int();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

const factBody = z.strictObject({
  at: time,
  sending: z.enum(sendings).optional(),
  status: z.int().optional(),
  outcome: outcome.optional(),
  review_reason: z.enum(reviewReasons).optional(),
  expired_at: time.optional(),
  omitted: z.int().optional(),
});

const orderBody = z.strictObject({
  request_id: z.string(),
  intent_id: z.string(),
  ordinal: z.int(),
  option: z.string(),
  amount: z.string(),
  currency: z.string(),
  pay_currency: z.string(),
  open_amount: z.boolean().default(false),
  traceparent: orNull(z.string()),
  had_customer: z.boolean().default(false),
  sending: z.enum(sendings),
  order_no: orNull(z.string()),
  first_status: orNull(z.int()),
  status: orNull(z.int()),
  outcome,
  review_reason: orNull(z.enum(reviewReasons)),
  resolved_as: orNull(z.enum(resolutions)),
  reported_paid: z.boolean().default(false),
  echoed_amount: orNull(z.string()),
  echoed_currency: orNull(z.string()),
  next_action: orNull(nextAction),
  payee: orNull(z.string()),
  code_amount: orNull(codeAmount),
  late: z.boolean().default(false),
  created_at: time,
  aged_from: time,
  checked_at: orNull(time),
  expires_at: orNull(time),
  has_expired: z.boolean().default(false),
  lost_at: orNull(time),
  next_check_at: orNull(time),
  followed_again_ms: orNull(z.int()),
  history: z.array(factBody).default([]),
  version: z.int(),
});

const resolutionBody = z.strictObject({
  request_id: z.string(),
  resolved_as: z.enum(resolutions),
  resolved_by: z.string(),
  note: z.string(),
  review_reason: z.string(),
  resolved_at: time,
});

const intentBody = z.strictObject({
  intent_id: z.string(),
  mode: z.enum(intentModes),
  content: z.string(),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  pay_currency: orNull(z.string()),
  remark: orNull(z.string()),
  return_url: orNull(z.string()),
  sku: orNull(z.string()),
  quantity: orNull(z.int()),
  metadata: orNull(z.string()),
  created_at: time,
  current_request_id: orNull(z.string()),
  paid_request_id: orNull(z.string()),
  event_count: z.int().default(0),
  closed_at: orNull(time),
  close_reason: orNull(z.string()),
  closed_by: orNull(z.string()),
  erased_at: orNull(time),
  erased_by: orNull(z.string()),
  unpaid_due_at: orNull(time),
  orders: z.array(orderBody).default([]),
  resolutions: z.array(resolutionBody).default([]),
});

/** @throws Error when the text is not the body of an intent */
export const readBody = (text: string): Intent => intentBody.parse(JSON.parse(text));

export const writeBody = ({ version: _version, ...body }: Intent): string =>
  JSON.stringify(body, withoutEmpty);

const withoutEmpty = (_key: string, value: unknown): unknown =>
  value === null || value === false || (Array.isArray(value) && value.length === 0)
    ? undefined
    : value;
