/** The properties that say what is to be paid, and the attribute of each. */
export const INTENT_PROPERTIES = [
  'relay',
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

export const attributeOf = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
