/** From the element's attributes to what is to be paid; says which attribute is wrong. */
import type { Subject } from './checkout.js';

export type Attributes = {
  orderToken: string | null;
  sku: string | null;
  quantity: string | null;
  amount: string | null;
  currency: string | null;
  payCurrency: string | null;
  productName: string | null;
  remark: string | null;
  customerRefId: string | null;
  returnUrl: string | null;
  deposit: string | null;
  depositToken: string | null;
};

export type WrongAttribute = { attribute: string; message: string };

const present = (value: string | null): value is string => value !== null && value !== '';
const wrong = (attribute: string, message: string): { wrong: WrongAttribute } => ({ wrong: { attribute, message } });

/** Leaves out what is absent: the relay refuses empty fields. */
const given = (fields: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => present(entry[1])));

/** The attribute that says what is to be paid; any two of them contradict each other. */
const LEADING = [
  ['order-token', 'orderToken'],
  ['sku', 'sku'],
  ['amount', 'amount'],
  ['deposit', 'deposit'],
] as const;

export function readSubject(from: Attributes): { subject: Subject } | { wrong: WrongAttribute } {
  const [leading, second] = LEADING.filter(([, property]) => present(from[property])).map(([name]) => name);
  if (second !== undefined) return wrong(second, `contradicts ${leading ?? ''}: give one of order-token, sku, amount or deposit`);
  switch (leading) {
    case 'order-token':
      return { subject: { intent: given({ order_token: from.orderToken, return_url: from.returnUrl }) } };
    case 'sku': {
      if (from.currency !== null) return wrong('currency', 'contradicts sku: the relay’s catalogue fixes it');
      if (present(from.quantity) && !/^\d{1,4}$/.test(from.quantity)) return wrong('quantity', `"${from.quantity}" is not a whole number`);
      const quantity = present(from.quantity) ? { quantity: Number(from.quantity) } : {};
      return {
        subject: { intent: { ...given({ sku: from.sku, customer_ref_id: from.customerRefId, return_url: from.returnUrl }), ...quantity } },
      };
    }
    case 'amount':
      if (!present(from.currency)) return wrong('currency', 'is required beside amount');
      if (!present(from.productName)) return wrong('product-name', 'is required beside amount');
      return { subject: { intent: openAmount(from) } };
    case 'deposit':
      if (!present(from.depositToken) && !present(from.customerRefId))
        return wrong('deposit-token', 'or customer-ref-id is required beside deposit');
      return {
        subject: {
          deposit: { currency: from.deposit ?? '', ...given({ deposit_token: from.depositToken, customer_ref_id: from.customerRefId }) },
        },
      };
    default:
      return wrong('order-token', 'or sku, amount or deposit is required');
  }
}

const openAmount = (from: Attributes): Record<string, string> =>
  given({
    amount: from.amount,
    currency: from.currency,
    pay_currency: from.payCurrency,
    product_name: from.productName,
    remark: from.remark,
    customer_ref_id: from.customerRefId,
    return_url: from.returnUrl,
  });
