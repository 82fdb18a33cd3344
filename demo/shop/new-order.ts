/** Checks the order that a browser sends: products, quantities and customer, but never prices. */
import { z } from 'zod';
import { findProduct, MAX_QUANTITY, type Product } from './products.js';

const MAX_ITEMS = 50;
const MAX_EMAIL_CHARACTERS = 254;
const MAX_NAME_CHARACTERS = 100;

// Each `error` completes the sentence "expected …".
const NOT_A_PRODUCT = { error: 'a product of this shop' };
const NOT_A_PHONE = { error: 'a phone number' };

const item = z.strictObject(
  {
    sku: z.string(NOT_A_PRODUCT).refine((sku) => findProduct(sku) !== undefined, NOT_A_PRODUCT),
    quantity: z
      .int({ error: 'a whole number' })
      .min(1, { error: 'at least 1' })
      .max(MAX_QUANTITY, { error: `at most ${MAX_QUANTITY}` }),
  },
  { error: 'an object with sku and quantity' },
);

const customer = z.strictObject(
  {
    email: z
      .email({ error: 'an e-mail address' })
      .max(MAX_EMAIL_CHARACTERS, { error: `at most ${MAX_EMAIL_CHARACTERS} characters` })
      .optional(),
    phone: z
      .string(NOT_A_PHONE)
      .regex(/^\+?[\d ()-]{5,24}$/, NOT_A_PHONE)
      .optional(),
    name: z
      .string({ error: 'a name' })
      .trim()
      .min(1, { error: 'a name' })
      .max(MAX_NAME_CHARACTERS, { error: `at most ${MAX_NAME_CHARACTERS} characters` })
      .optional(),
  },
  { error: 'an object with email, phone or name' },
);

const newOrder = z.strictObject(
  {
    items: z
      .array(item, { error: 'a list of products' })
      .min(1, { error: 'at least one product' })
      .max(MAX_ITEMS, { error: `at most ${MAX_ITEMS} items` }),
    customer: customer.optional(),
    former: z.string({ error: 'an order id' }).optional(),
  },
  { error: 'an order' },
);

type Customer = z.infer<typeof customer>;
/** One line for each product: the quantities of repeated items are added up. */
type Wanted = {
  lines: { product: Product; quantity: number }[];
  customer?: Customer;
  /** The id of the order that was opened before the basket changed. */
  former?: string;
};

export function readNewOrder(
  body: unknown,
): { wanted: Wanted } | { field: string; message: string } {
  const parsed = newOrder.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    if (issue?.code === 'unrecognized_keys')
      return wrong([...issue.path, issue.keys[0] ?? ''], 'an unknown field');
    return wrong(issue?.path ?? [], `expected ${issue?.message ?? 'an order'}`);
  }
  const quantities = new Map<string, number>();
  for (const { sku, quantity } of parsed.data.items)
    quantities.set(sku, (quantities.get(sku) ?? 0) + quantity);
  const lines: Wanted['lines'] = [];
  for (const [sku, quantity] of quantities) {
    if (quantity > MAX_QUANTITY)
      return wrong(['items'], `expected at most ${MAX_QUANTITY} of ${sku}`);
    const product = findProduct(sku);
    // cannot happen, because the schema accepts only products of this shop
    if (!product) throw new Error(`${sku} is no product of this shop`);
    lines.push({ product, quantity });
  }
  const { customer, former } = parsed.data;
  return {
    wanted: { lines, ...(customer && { customer }), ...(former !== undefined && { former }) },
  };
}

const wrong = (
  path: readonly PropertyKey[],
  message: string,
): { field: string; message: string } => ({
  field: path.map(String).join('.') || 'body',
  message,
});

/**
 * Hashes the e-mail address or phone number, so that the relay receives neither.
 * @returns a reference derived from the e-mail address, or else from the phone number; null when
 *   neither is given
 */
export async function customerRef({ email, phone }: Customer = {}): Promise<string | null> {
  const contact = email?.toLowerCase() ?? phone?.replace(/[^\d+]/g, '');
  if (contact === undefined) return null;
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(contact)),
  );
  const hex = Array.from(hash.slice(0, 12), (byte) => byte.toString(16).padStart(2, '0'));
  return `c-${hex.join('')}`;
}
