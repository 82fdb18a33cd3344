/** The effect and the answered `data` of each of the six operations. */
import type { createAddresses } from './deposit-addresses.js';
import type { OperationName } from './fields.js';
import { linkFor, linkKind, type LinkKind } from './links.js';
import type { Orders, SandboxOrder } from './orders.js';

export type World = {
  orders: Orders;
  addresses: ReturnType<typeof createAddresses>;
  links: Record<string, LinkKind>;
  publicUrl: () => string;
  merchantName: string;
};
type Fields = Readonly<Record<string, string>>;
type Result = { data: Record<string, unknown> } | { notFound: true } | { wrong: string };

const OTHER_KIND = { wrong: 'request_id: that of an order of another kind' } as const;

const payOrder = (order: SandboxOrder): Record<string, unknown> => ({
  request_id: order.request_id,
  partner_id: 'sandbox-partner',
  order_no: order.order_no,
  currency: order.fields.currency,
  order_amount: order.fields.amount,
  status: order.status,
  payment_method: order.fields.payment_method,
});

const moneyOut = (world: World, kind: 'withdraw' | 'payout', fields: Fields): Result => {
  const order = world.orders.add(kind, fields, () => ({}));
  if (!order) return OTHER_KIND;
  const { order_no, request_id, status } = order;
  return { data: { request_id, order_no, status } };
};

export const operations: Record<OperationName, (world: World, fields: Fields) => Result> = {
  deposit_address: ({ addresses }, { currency = '', customer_ref_id = '' }) => ({
    data: addresses.of(currency, customer_ref_id),
  }),
  verifyDepositAddress: ({ addresses }, fields) => ({ data: { belongs: addresses.knows(fields) } }),
  withdraw: (world, fields) => moneyOut(world, 'withdraw', fields),
  payout: (world, fields) => moneyOut(world, 'payout', fields),
  pay: ({ links, merchantName, orders, publicUrl }, fields) => {
    const order = orders.add('pay', fields, (orderNo) =>
      linkFor(linkKind(links, fields), { fields, orderNo, merchantName }, publicUrl()),
    );
    return order ? { data: { ...payOrder(order), ...order.link } } : OTHER_KIND;
  },
  query: ({ orders }, { request_id = '' }) => {
    const order = orders.byRequest(request_id);
    // the document of query defines only the status; the other fields are the sandbox's own
    return order
      ? { data: { ...payOrder(order), kind: order.kind, created_at: order.created_at } }
      : { notFound: true };
  },
};
