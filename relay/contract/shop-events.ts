/** The types of the events that the relay sends to the shop's backend. */
export const shopEventTypes = [
  'order.created',
  'order.succeeded',
  'order.failed',
  'order.expired',
  'order.unmapped_status',
  'order.review',
  'order.resolved',
  'order.duplicate_payment',
  'order.late_payment',
  'order.unpaid',
] as const;

export type ShopEventType = (typeof shopEventTypes)[number];
