/** Properties that name what is to be paid; a change of one restarts the checkout. */
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
