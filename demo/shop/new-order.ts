/** Reads the browser's order: products and quantities, but never prices. */
import { z } from 'zod';
import { findProduct, MAX_QUANTITY, type Product } from './products.js';

const item = z.strictObject({
  sku: z
    .string()
    .refine((sku) => findProduct(sku) !== undefined, { error: 'a product of this shop' }),
  quantity: z
    .int({ error: 'a whole number' })
    .min(1, { error: 'at least 1' })
    .max(MAX_QUANTITY, { error: `at most ${MAX_QUANTITY}` }),
});

const newOrder = z.strictObject({
  items: z
    .array(item, { error: 'a list of products' })
    .min(1, { error: 'at least one product' })
    .max(50, { error: 'at most 50 lines' }),
  customer: z
    .strictObject({
      email: z.email({ error: 'an e-mail address' }).max(254),
      phone: z.string().regex(/^\+?[\d ()-]{5,24}$/, { error: 'a phone number' }),
      name: z.string().trim().min(1).max(100),
    })
    .partial()
    .optional(),
});

type Customer = NonNullable<z.infer<typeof newOrder>['customer']>;
export type Wanted = { lines: { product: Product; quantity: number }[]; customer?: Customer };

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
    const product = findProduct(sku);
    if (!product || quantity > MAX_QUANTITY)
      return wrong(['items'], `expected at most ${MAX_QUANTITY} of ${sku}`);
    lines.push({ product, quantity });
  }
  return { wanted: { lines, ...(parsed.data.customer && { customer: parsed.data.customer }) } };
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
 * @returns the same reference for the same customer, or null for a guest
 */
export async function customerRef({ email, phone }: Customer = {}): Promise<string | null> {
  const known = email?.toLowerCase() ?? phone?.replace(/[^\d+]/g, '');
  if (known === undefined) return null;
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(known)),
  );
  const hex = Array.from(hash.slice(0, 12), (byte) => byte.toString(16).padStart(2, '0'));
  return `c-${hex.join('')}`;
}
