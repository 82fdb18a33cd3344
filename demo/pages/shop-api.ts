/** Calls the shop's backend. */
export type ShopOrder = {
  order_id: string;
  amount: string;
  currency: string;
  items: { sku: string; name: string; size: string; quantity: number; sum: string }[];
  return_url: string;
  order_token?: string;
};
export type SeenOrder = ShopOrder & {
  state: 'paid' | 'waiting' | 'not_paid' | 'unknown';
  placed: boolean;
};

/** The part of the id that people use; the rest only makes the id hard to guess. */
export const orderNumber = (id: string): string => id.slice(0, 11);

/** An error whose message is written for the customer. */
export class ShopError extends Error {
  override readonly name = 'ShopError';
}

const SHOP_UNAVAILABLE = 'The shop does not answer right now. Please try again in a moment.';

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    ...init,
    signal: AbortSignal.timeout(15_000),
  }).catch(() => null);
  if (!response) throw new ShopError(SHOP_UNAVAILABLE);
  if (response.ok || response.status === 404) return response;
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  throw new ShopError(body?.error?.message ?? SHOP_UNAVAILABLE);
}

/** @returns null when the shop has no such order */
export async function getOrder(id: string, want: 'token' | 'state'): Promise<SeenOrder | null> {
  const response = await ask(
    `/orders/${encodeURIComponent(id)}${want === 'state' ? '?token=no' : ''}`,
  );
  return response.ok ? ((await response.json()) as SeenOrder) : null;
}

/**
 * @param former the id of the order that was opened before the basket changed
 * @returns the new order, or the former one when that is paid
 */
export async function placeOrder(
  items: { sku: string; quantity: number }[],
  former?: string,
): Promise<ShopOrder> {
  const response = await ask('/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items, former }),
  });
  if (!response.ok) throw new ShopError(SHOP_UNAVAILABLE);
  return (await response.json()) as ShopOrder;
}
