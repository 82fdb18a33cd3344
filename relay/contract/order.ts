/** The order as a browser sees it: a projection of the relay's ledger. */
import { z } from 'zod';
import { outcomes } from './outcomes.js';
import { MAX_LINK_CHARACTERS } from './paths.js';

export const outcome = z.enum(outcomes);
/** How the relay reads the order service's status. */
export type Outcome = z.infer<typeof outcome>;

/** Who sets the amount: the shop's backend, the relay's catalogue, or the page. */
export const intentModes = ['token', 'catalogue', 'open'] as const;
export type IntentMode = (typeof intentModes)[number];

const link = z.string().min(1).max(MAX_LINK_CHARACTERS);

export const nextAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('scan_qr'), qrcode_string: link }),
  z.strictObject({ kind: z.literal('open_page'), checkout_url: link }),
  z.strictObject({ kind: z.literal('open_wallet'), wallet_url: link }),
  z.strictObject({ kind: z.literal('wait') }),
]);

/** What the customer must do now; it depends on what the service returned, not on the request. */
export type NextAction = z.infer<typeof nextAction>;

/** Without an amount the customer types the order's amount. */
export const codeAmount = z.object({ amount: z.string().optional(), currency: z.string() });
export type CodeAmount = z.infer<typeof codeAmount>;

export const instant = z.iso.datetime();

export const order = z.object({
  intent_id: z.string(),
  request_id: z.string(),
  order_no: z.string().nullable(),
  order_key: z.string(),
  option: z.string(),
  amount: z.string(),
  currency: z.string(),
  status: z.number().int().nullable(),
  outcome,
  next_action: nextAction.nullable(),
  /** The page chose the amount. */
  open_amount: z.boolean(),
  /** The order was paid after it had failed or expired. */
  late: z.boolean(),
  /** Another order of the intent can still be paid. */
  other_payable: z.boolean(),
  /** The shop closed the intent. */
  closed: z.boolean(),
  /** A later order of the intent has replaced this one; otherwise the field is absent. */
  replaced: z.boolean().optional(),
  /** The request_id of another order that paid the intent. */
  paid_by: z.string().optional(),
  /** The payee's name in the QR code. */
  payee: z.string().optional(),
  /** What the customer's app charges, where it is not the order's amount. */
  code_amount: codeAmount.optional(),
  /** The QR code is a link that may be opened. */
  code_opens: z.boolean().optional(),
  created_at: instant,
  checked_at: instant.nullable(),
  /** When the relay learned of the payment. */
  paid_at: instant.optional(),
  expires_at: instant.optional(),
  server_time: instant,
  /** Another number when anything of the order but `checked_at` is another. */
  version: z.int().optional(),
  /** In the answer to a page's query: the relay cannot ask the order service at the moment. */
  service_unreachable: z.boolean().optional(),
});

export type Order = z.infer<typeof order>;

/**
 * Fields of an order that the ledger stores unchanged. The type of an order's row and the
 * projection that a page sees derive from this list; the relay computes the others.
 */
const storedOrderFields = [
  'intent_id',
  'request_id',
  'order_no',
  'option',
  'amount',
  'currency',
  'status',
  'outcome',
  'next_action',
  'open_amount',
  'late',
] as const satisfies readonly (keyof Order)[];

export type StoredOrderFields = Readonly<Pick<Order, (typeof storedOrderFields)[number]>>;

/** Copies the listed fields only, so that other columns of the row never reach a page. */
export const pickStoredFields = (row: StoredOrderFields): StoredOrderFields =>
  Object.fromEntries(storedOrderFields.map((name) => [name, row[name]])) as StoredOrderFields;
