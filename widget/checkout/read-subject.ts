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
const wrong = (attribute: string, message: string): { wrong: WrongAttribute } => ({
  wrong: { attribute, message },
});

/**
 * The contract's fields of these attributes, without what is absent: the relay refuses empty
 * fields.
 */
const given = (from: Attributes, ...names: (keyof Attributes)[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name];
      return present(value)
        ? [[name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`), value]]
        : [];
    }),
  );

/** The attribute that says what is to be paid; any two of them contradict each other. */
const LEADING = [
  ['order-token', 'orderToken'],
  ['sku', 'sku'],
  ['amount', 'amount'],
  ['deposit', 'deposit'],
] as const;

/** Something is to be paid here; whether all that it needs is there, `readSubject` says. */
export const hasSubject = (from: Attributes): boolean =>
  LEADING.some(([, property]) => present(from[property]));

export function readSubject(from: Attributes): { subject: Subject } | { wrong: WrongAttribute } {
  const [leading, second] = LEADING.filter(([, property]) => present(from[property])).map(
    ([name]) => name,
  );
  if (second !== undefined) return wrong(second, `contradicts ${leading ?? ''}`);
  switch (leading) {
    case 'order-token':
      return { subject: { intent: given(from, 'orderToken', 'returnUrl') } };
    case 'sku': {
      if (from.currency !== null)
        return wrong('currency', 'contradicts sku: the relay’s catalogue fixes it');
      if (present(from.quantity) && !/^\d{1,4}$/.test(from.quantity))
        return wrong('quantity', `"${from.quantity}" is not a whole number`);
      const quantity = present(from.quantity) ? { quantity: Number(from.quantity) } : {};
      return {
        subject: { intent: { ...given(from, 'sku', 'customerRefId', 'returnUrl'), ...quantity } },
      };
    }
    case 'amount':
      if (!present(from.currency)) return wrong('currency', 'is required beside amount');
      if (!present(from.productName)) return wrong('product-name', 'is required beside amount');
      return {
        subject: {
          intent: given(
            from,
            'amount',
            'currency',
            'payCurrency',
            'productName',
            'remark',
            'customerRefId',
            'returnUrl',
          ),
        },
      };
    case 'deposit':
      if (!present(from.depositToken) && !present(from.customerRefId))
        return wrong('deposit-token', 'or customer-ref-id is required beside deposit');
      return {
        subject: {
          deposit: {
            currency: from.deposit ?? '',
            ...given(from, 'depositToken', 'customerRefId'),
          },
        },
      };
    default:
      return wrong('order-token', 'or sku, amount or deposit is required');
  }
}
