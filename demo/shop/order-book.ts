/**
 * The shop's own orders: made from the shop's own prices, kept in memory (a real shop has a table).
 */
import { addDecimals, multiplyDecimal } from '../../relay/contract/decimal.js';
import { CURRENCY, type Product } from './products.js';

export type Line = {
  sku: string;
  name: string;
  size: string;
  price: string;
  quantity: number;
  sum: string;
};

export type ShopOrder = {
  /**
   * Also the `jti` of every token for it: the relay then knows one intent, however often a token is
   * asked for.
   */
  order_id: string;
  amount: string;
  currency: string;
  items: Line[];
  customer_ref_id: string;
};

export type OrderBook = {
  open(
    wanted: readonly { product: Product; quantity: number }[],
    customerRef: string | null,
  ): ShopOrder;
  keep(order: ShopOrder): void;
  find(id: string): ShopOrder | undefined;
};

// no letters that are mistaken for digits
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** 125 random bits: whoever knows the id may see the order. */
const newId = (): string =>
  `BL-${Array.from(crypto.getRandomValues(new Uint8Array(25)), (byte) => ALPHABET[byte % 32]).join('')}`;

export function createOrderBook(): OrderBook {
  const orders = new Map<string, ShopOrder>();
  return {
    open: (wanted, customerRef) => {
      const items = wanted.map(({ product: { sku, name, size, price }, quantity }) => ({
        sku,
        name,
        size,
        price,
        quantity,
        sum: multiplyDecimal(price, quantity),
      }));
      const order_id = newId();
      return {
        order_id,
        amount: items.map(({ sum }) => sum).reduce(addDecimals),
        currency: CURRENCY,
        items,
        customer_ref_id: customerRef ?? `guest-${order_id.slice(3, 15)}`,
      };
    },
    keep: (order) => void orders.set(order.order_id, order),
    find: (id) => orders.get(id),
  };
}
