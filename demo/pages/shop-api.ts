/** Speaks with the shop's backend. */
export type ShopOrder = {
  order_id: string;
  amount: string;
  items: { name: string; quantity: number; sum: string }[];
  order_token?: string;
  state?: 'paid' | 'waiting' | 'not_paid' | 'not_started' | 'unknown';
};

export async function getOrder(id: string): Promise<ShopOrder | null> {
  const response = await fetch(`/api/orders/${encodeURIComponent(id)}`);
  return response.ok ? ((await response.json()) as ShopOrder) : null;
}

export async function placeOrder(items: { sku: string; quantity: number }[]): Promise<ShopOrder | null> {
  const response = await fetch('/api/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });
  return response.ok ? ((await response.json()) as ShopOrder) : null;
}
