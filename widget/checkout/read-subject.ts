/** Reads from the element's attributes what is to be paid, or which attribute is wrong. */
import type { Subject } from './checkout.js';

/** Properties of the element that say what is to be paid. */
export const SUBJECT_PROPERTIES = [
  'orderToken',
  'sku',
  'quantity',
  'amount',
  'currency',
  'payCurrency',
  'productName',
  'remark',
  'customerRefId',
  'returnUrl',
  'deposit',
  'depositToken',
] as const;

export type Attributes = Record<(typeof SUBJECT_PROPERTIES)[number], string | null>;

type WrongAttribute = { attribute: string; message: string };

const isSet = (value: string | null | undefined): value is string => Boolean(value);
const wrong = (attribute: string, message: string): { wrong: WrongAttribute } => ({
  wrong: { attribute, message },
});

/** The contract's fields of the attributes that are set; the relay refuses empty fields. */
const fieldsOf = (
  from: Partial<Attributes>,
  ...names: (keyof Attributes)[]
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name];
      return isSet(value)
        ? [[name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`), value]]
        : [];
    }),
  );

/** Properties that each name what is to be paid; two of them contradict each other. */
const LEADING = ['orderToken', 'sku', 'amount', 'deposit'] as const;

/** Whether the page names a purchase; `readSubject` checks whether it is complete. */
export const hasSubject = (from: Attributes): boolean =>
  LEADING.some((property) => isSet(from[property]));

/** The attributes that a page may set before it knows the purchase. */
const AHEAD = /^(customerRefId|returnUrl)$/;

/** @returns null while the page has not named a purchase */
export function readSubject(
  from: Partial<Attributes>,
): { subject: Subject } | { wrong: WrongAttribute } | null {
  const [leading, second] = LEADING.filter((property) => isSet(from[property]));
  if (second !== undefined)
    return wrong(second, `contradicts ${leading === 'orderToken' ? 'order-token' : leading}`);
  switch (leading) {
    case 'orderToken':
      return { subject: { intent: fieldsOf(from, 'orderToken', 'returnUrl') } };
    case 'sku': {
      if (isSet(from.currency)) return wrong('currency', 'is not allowed beside sku');
      if (isSet(from.quantity) && !/^\d{1,4}$/.test(from.quantity))
        return wrong('quantity', `"${from.quantity}" is not a whole number`);
      const quantity = isSet(from.quantity) ? { quantity: Number(from.quantity) } : {};
      return {
        subject: {
          intent: { ...fieldsOf(from, 'sku', 'customerRefId', 'returnUrl'), ...quantity },
        },
      };
    }
    case 'amount':
      if (isSet(from.quantity)) return wrong('quantity', 'is not allowed beside amount');
      if (!isSet(from.currency)) return wrong('currency', 'is required beside amount');
      if (!isSet(from.productName)) return wrong('product-name', 'is required beside amount');
      return {
        subject: {
          intent: fieldsOf(
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
      if (!isSet(from.depositToken) && !isSet(from.customerRefId))
        return wrong('deposit-token', 'or customer-ref-id is required beside deposit');
      return {
        subject: {
          deposit: {
            currency: from.deposit ?? '',
            ...fieldsOf(from, 'depositToken', 'customerRefId'),
          },
        },
      };
    default:
      return SUBJECT_PROPERTIES.some((name) => isSet(from[name]) && !AHEAD.test(name))
        ? wrong('order-token', 'or sku, amount or deposit is required')
        : null;
  }
}
