/** The basket, kept in the browser; prices are the backend's. */
type Basket = Record<string, number>;
const KEY = 'bean-leaf:basket';

export function readBasket(): Basket {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Basket;
  } catch {
    return {};
  }
}

export function setQuantity(sku: string, quantity: number): void {
  const { [sku]: _, ...rest } = readBasket();
  localStorage.setItem(KEY, JSON.stringify(quantity > 0 ? { ...rest, [sku]: Math.min(quantity, 20) } : rest));
  // another basket is another order
  sessionStorage.removeItem('bean-leaf:order');
}

export const emptyBasket = (): void => localStorage.removeItem(KEY);
export const basketCount = (): number => Object.values(readBasket()).reduce((sum, quantity) => sum + quantity, 0);
