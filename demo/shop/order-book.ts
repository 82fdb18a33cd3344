/** The shop's orders, at the shop's prices. They are in memory; a real shop has a database. */
import { addDecimals, multiplyDecimal } from '../../relay/contract/decimal.js';
import { CURRENCY, type Product } from './products.js';

type Line = {
  sku: string;
  name: string;
  size: string;
  price: string;
  quantity: number;
  sum: string;
};

export type ShopOrder = {
  /** Also the `jti` of all its tokens, so that every token belongs to the same intent. */
  order_id: string;
  amount: string;
  currency: string;
  items: Line[];
  customer_ref_id: string;
};

type OrderBook = {
  open(
    wanted: readonly { product: Product; quantity: number }[],
    customerRef: string | null,
  ): ShopOrder;
  keep(order: ShopOrder): void;
  find(id: string): ShopOrder | undefined;
};

/** Without letters that look like digits. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** 125 random bits, because anybody who knows the id can see the order. */
const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(25));
  return `BL-${Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('')}`;
};

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
