/** Stores the basket, and the order that was opened for it, in the browser. */
import { findProduct, MAX_QUANTITY } from '../shop/products.js';

type Basket = ReadonlyMap<string, number>;
type Opened = { order_id: string; basket: string };

const BASKET = 'bean-leaf:basket';
const ORDER = 'bean-leaf:order';

const read = (key: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
};
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the stored basket, without unknown products and invalid quantities. */
export function readBasket(): Basket {
  const stored = read(BASKET);
  return new Map(
    Object.entries(isRecord(stored) ? stored : {}).flatMap(([sku, quantity]): [string, number][] =>
      findProduct(sku) && Number.isInteger(quantity) && Number(quantity) > 0
        ? [[sku, Math.min(Number(quantity), MAX_QUANTITY)]]
        : [],
    ),
  );
}

export function setQuantity(sku: string, quantity: number): void {
  const basket = new Map(readBasket()).set(sku, Math.min(quantity, MAX_QUANTITY));
  if (quantity <= 0) basket.delete(sku);
  localStorage.setItem(BASKET, JSON.stringify(Object.fromEntries(basket)));
}

export const basketCount = (): number =>
  [...readBasket().values()].reduce((sum, quantity) => sum + quantity, 0);

const signature = (): string =>
  JSON.stringify([...readBasket()].sort(([left], [right]) => (left < right ? -1 : 1)));

/** The last opened order; `current` is true when the order was opened for the present basket. */
export function openedOrder(): { id: string; current: boolean } | null {
  const stored = read(ORDER);
  if (!isRecord(stored) || typeof stored.order_id !== 'string') return null;
  return { id: stored.order_id, current: stored.basket === signature() };
}

export function storeOrder(id: string): void {
  const opened: Opened = { order_id: id, basket: signature() };
  localStorage.setItem(ORDER, JSON.stringify(opened));
}

/** Removes a paid order, and its basket unless the customer has changed the basket since. */
export function removePaidOrder(id: string): void {
  const opened = openedOrder();
  if (opened?.id !== id) return;
  if (opened.current) localStorage.removeItem(BASKET);
  localStorage.removeItem(ORDER);
}

/** Calls `changed` when another tab changes the basket. */
export const onBasketChangedElsewhere = (changed: () => void): void =>
  addEventListener('storage', ({ key }) => {
    if (key === BASKET || key === null) changed();
  });
