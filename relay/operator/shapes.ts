/** What the verbs answer, as scripts read it. A field may be added, never renamed. */
import { z } from 'zod';
import { codeAmount, instant, intentModes, outcome } from '../contract/order.js';
import { reviewReasons } from '../contract/review-reasons.js';
import { payBackReasons, resolutions, sendings } from '../ledger/rows.js';
import { lookupKinds } from '../ledger/operator-ledger.js';

export const match = z.object({
  /** What the text was found as. */
  kind: z.enum([...lookupKinds, 'deposit_address']),
  /** Null for a deposit address, and for a pay link that nobody has used. */
  intent_id: z.string().nullable(),
  request_id: z.string().nullable(),
  order_no: z.string().nullable(),
  outcome: outcome.nullable(),
  /** Why the payment of this order must be given back; null for every other match. */
  pay_back: z.enum(payBackReasons).nullable(),
  /** Null for a deposit address, which has no amount. */
  amount: z.string().nullable(),
  /** Null, with the amount, for an intent that was closed before any order. */
  currency: z.string().nullable(),
  customer_ref_id: z.string().nullable(),
  created_at: instant,
});
export type Match = z.infer<typeof match>;

export const foundShape = z.object({
  matches: z.array(match),
  /** Whether more were found than these, which are the newest of the first 1,000. */
  more: z.boolean(),
});
export type Found = z.infer<typeof foundShape>;

export const operatorOrder = z.object({
  request_id: z.string(),
  intent_id: z.string(),
  order_no: z.string().nullable(),
  option: z.string(),
  amount: z.string(),
  currency: z.string(),
  /** The currency that the customer pays in. */
  pay_currency: z.string(),
  outcome,
  status: z.int().nullable(),
  /** How far the request to the service came. */
  sending: z.enum(sendings),
  review_reason: z.enum(reviewReasons).nullable(),
  /** Amount and currency as the service last echoed them. */
  echoed_amount: z.string().nullable(),
  echoed_currency: z.string().nullable(),
  /** The payee in the order's QR code. */
  payee: z.string().nullable(),
  resolved_as: z.enum(resolutions).nullable(),
  /** Who took the decision that the order has, and why; null without one. */
  resolved_by: z.string().nullable(),
  resolved_note: z.string().nullable(),
  /** Why a payment must be given back, also when it was; null for every other order. */
  pay_back: z.enum(payBackReasons).nullable(),
  late: z.boolean(),
  customer_ref_id: z.string(),
  product_name: z.string(),
  /** When the intent was opened; several orders may follow. */
  opened_at: instant,
  created_at: instant,
  checked_at: instant.nullable(),
  /** When the relay asks the service next; null when it follows the order no more. */
  next_check_at: instant.nullable(),
  paid_at: instant.nullable(),
});
export type OperatorOrder = z.infer<typeof operatorOrder>;

export const operatorIntent = z.object({
  intent_id: z.string(),
  mode: z.enum(intentModes),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  remark: z.string().nullable(),
  sku: z.string().nullable(),
  quantity: z.int().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  created_at: instant,
  /** The order that paid the intent. */
  paid_request_id: z.string().nullable(),
  closed_at: instant.nullable(),
  close_reason: z.string().nullable(),
  closed_by: z.string().nullable(),
  erased_at: instant.nullable(),
  erased_by: z.string().nullable(),
});

const timelineEntry = z.object({
  at: instant,
  source: z.enum(['page', 'shop', 'service', 'relay', 'person']),
  what: z.string(),
  request_id: z.string().optional(),
  status: z.int().optional(),
  outcome: outcome.optional(),
  review_reason: z.enum(reviewReasons).optional(),
  /** Paid after it had failed or expired, after the close, or beside another paid order. */
  late: z.literal(true).optional(),
  late_payment: z.literal(true).optional(),
  duplicate: z.literal(true).optional(),
  expired_at: instant.optional(),
  /** So many facts had no room in the ledger. */
  omitted: z.int().optional(),
  /**
   * How often the service called the order's `notify_url` before one of the relay's queries, and
   * when last. A relay that ends before its next query does not count its last ones.
   */
  signals: z.int().optional(),
  last_at: instant.optional(),
  event_id: z.string().optional(),
  type: z.string().optional(),
  tries: z.int().optional(),
  last_failure: z.string().optional(),
  next_try_at: instant.optional(),
  by: z.string().optional(),
  note: z.string().optional(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** What a person compares before a review ends. */
const evidence = z.object({
  request_id: z.string(),
  review_reason: z.enum([...reviewReasons, 'unmapped']),
  /** The last one that the service named. */
  status: z.int().nullable(),
  asked: z.object({ amount: z.string(), currency: z.string() }),
  echoed: z.object({ amount: z.string().nullable(), currency: z.string().nullable() }),
  /** The amount that the service named, minus the amount of the order. */
  difference: z.string().nullable(),
  payee: z.string().nullable(),
  /** What the code charges, where that is not what was asked; null: that, or it cannot be read. */
  code_amount: codeAmount.nullable(),
  for_customer: z.string(),
  for_shop: z.string(),
});
export type Evidence = z.infer<typeof evidence>;

export const shownShape = z.object({
  intent: operatorIntent,
  orders: z.array(operatorOrder),
  /** The order that the customer sees; null when nothing was ever sent. */
  shown_request_id: z.string().nullable(),
  timeline: z.array(timelineEntry),
  /** One for each order that a person must look at. */
  reviews: z.array(evidence),
});

export const listShape = z.object({
  orders: z.array(operatorOrder),
  /** Of the listed orders, by their currency. */
  sums: z.record(z.string(), z.string()),
  /** Where the list goes on; null at its end. */
  cursor: z.string().nullable(),
});

const checked = z.object({
  request_id: z.string(),
  answer: z.enum(['answered', 'not_found', 'no_answer', 'not_asked']),
  /** In the answer; without one, the last one that the service named. */
  status: z.int().nullable(),
  message: z.string().nullable(),
  changed: z.array(timelineEntry),
  order: operatorOrder,
});
export const checkShape = checked.extend({
  /** When the id names an intent: its other orders that the service may have, and are not paid. */
  others: z.array(checked),
});

export const resolveShape = z.object({ order: operatorOrder, evidence });

export const operatorEvent = z.object({
  id: z.string(),
  intent_id: z.string(),
  type: z.string(),
  created_at: instant,
  tries: z.int(),
  last_failure: z.string().nullable(),
  next_try_at: instant.nullable(),
  first_delivered_at: instant.nullable(),
  delivered_at: instant.nullable(),
  resent_at: instant.nullable(),
  resent_by: z.string().nullable(),
  erased: z.boolean(),
});

export const eventsShape = z.object({
  events: z.array(operatorEvent),
  cursor: z.string().nullable(),
});
/** `body`: the JSON as the shop receives it; of an erased event, as it is kept. */
export const eventShape = z.object({ event: operatorEvent, body: z.string() });
export const resentShape = z.object({ resent: z.int() });
export const closedShape = z.object({
  intent_id: z.string(),
  closed_at: instant,
  /** The orders about which the service gave no answer: they may be paid. */
  unanswered: z.array(z.string()),
});

const operatorOption = z.object({
  id: z.string(),
  /** Whether customers may choose it now. */
  offered: z.boolean(),
  /** Whether the configuration enables it. */
  enabled: z.boolean(),
  switched_off: z.boolean(),
  /** Who switched it last, and when. */
  by: z.string().nullable(),
  at: instant.nullable(),
  message: z.record(z.string(), z.string()).nullable(),
  /** The switches before the last one, the newest first. */
  earlier: z.array(z.object({ off: z.boolean(), by: z.string(), at: instant })),
});
export const optionsShape = z.object({ options: z.array(operatorOption) });

export const operatorLink = z.object({
  pay_link_id: z.string(),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  uses: z.int(),
  /** How many uses are taken; null for a link with a single use, whose order tells it. */
  used: z.int().nullable(),
  created_at: instant,
  expires_at: instant,
  /** Whether it has ended or was revoked, by the relay's clock. */
  over: z.boolean(),
  revoked_at: instant.nullable(),
  revoked_by: z.string().nullable(),
  erased_at: instant.nullable(),
  erased_by: z.string().nullable(),
});
export const linksShape = z.object({ links: z.array(operatorLink), cursor: z.string().nullable() });
/** The first revocation; `revoked_by` is null when the shop's backend made it. */
export const revokedShape = z.object({
  pay_link_id: z.string(),
  revoked_at: instant,
  revoked_by: z.string().nullable(),
});
export const erasedShape = z.object({
  customer_ref_id: z.string(),
  intents: z.int(),
  events: z.int(),
  links: z.int(),
  /** The orders whose payments must be given back, also when they were. */
  pay_back: z.array(z.string()),
});

const sales = z.object({
  orders: z.int(),
  paid: z.int(),
  /** The amounts of the paid orders, by their currency. */
  paid_amounts: z.record(z.string(), z.string()),
});
const day = z.object({
  /** 24 hours, the oldest first. */
  hours: z.array(sales.extend({ from: instant })),
  sum: sales,
});

export const todayShape = z.object({
  at: instant,
  /** Whether the counts have every order; false for a while after they were emptied. */
  complete: z.boolean(),
  /** The last hour is the one that `at` lies in, so it is not over. */
  last_day: day,
  week_before: day,
  /** Of the last day, the option with the most orders first. */
  options: z.array(
    sales.extend({
      option: z.string(),
      /** Paid orders divided by orders. */
      success_rate: z.number(),
      /** From the code to the payment, in seconds, to about an eighth; null when none was paid. */
      median_s: z.number().nullable(),
      p90_s: z.number().nullable(),
    }),
  ),
});
export type Today = z.infer<typeof todayShape>;
export type Sales = z.infer<typeof sales>;

const todoItem = z.object({
  kind: z.enum(['review', 'unmapped', 'confirming', 'undelivered']),
  /** Since when it waits. */
  since: instant,
  intent_id: z.string(),
  /** Null when it is about events of the whole intent. */
  request_id: z.string().nullable(),
  amount: z.string(),
  currency: z.string(),
  /** The reason of the review, the status, or how the last delivery failed. */
  reason: z.string().nullable(),
  what_to_do: z.string(),
});
export type TodoItem = z.infer<typeof todoItem>;

export const todoShape = z.object({
  /** The oldest first. */
  items: z.array(todoItem),
  more: z.boolean(),
  /** Events that the shop has not received, and that no relay tries to deliver any more. */
  events_stopped: z.int(),
});

export const configurationShape = z.object({
  /** As the relay uses it, with its defaults; `[secret]` stands for each secret. */
  configuration: z.record(z.string(), z.unknown()),
  findings: z.array(
    z.object({ level: z.enum(['ok', 'warn', 'error']), path: z.string(), text: z.string() }),
  ),
});

/** Who may sign in to the console by what. */
export const accessShape = z.object({
  /** Why a browser makes no passkey here; null where it does. */
  why_none: z.string().nullable(),
  /** Whether a person has switched the operator keys off for the console. */
  keys_off: z.boolean(),
  /** Whether the configuration lets them open it all the same. */
  keys_always_open: z.boolean(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      operator: z.string(),
      host: z.string(),
      added_at: instant,
      /** False when the configuration no longer has the operator or the host. */
      usable: z.boolean(),
      /** Whether it opened the session that asks. */
      used_now: z.boolean(),
    }),
  ),
  /** The newest first. */
  acts: z.array(
    z.object({
      at: instant,
      by: z.string(),
      what: z.enum(['passkey_added', 'passkey_removed', 'keys_off', 'keys_on']),
      /** Of the passkey. */
      name: z.string().nullable(),
    }),
  ),
});

/** The answer of each command with `--json`. */
export const outputs = {
  todo: todoShape,
  'orders find': foundShape,
  'orders list': listShape,
  'orders show': shownShape,
  'orders check': checkShape,
  'orders resolve': resolveShape,
  /** Of each line of `--format jsonl`. */
  'orders export': operatorOrder,
  'events list': eventsShape,
  'events resend': resentShape,
  'intents close': closedShape,
  'options list': optionsShape,
  'options off': optionsShape,
  'options on': optionsShape,
  'customers erase': erasedShape,
  'links list': linksShape,
  'links revoke': revokedShape,
} as const;
