/** Answers of the relay, from which the table of the element's states is made. */
import { failureStatuses } from '../relay/contract/failure.js';
import type { Order } from '../relay/contract/order.js';
import type {
  CheckoutResponse,
  DepositAddress,
  PaymentOption,
} from '../relay/contract/responses.js';
import type { ProblemCode } from '../widget/problem.js';

/** `none` is an answer that never arrives, and `cut` is a network failure. */
export type Answer = { status: number; body: unknown } | 'none' | 'cut';

const option = (id: string, label: string, more: Partial<PaymentOption> = {}): PaymentOption => ({
  id,
  label,
  payment_method: 'direct',
  ...more,
});
export const OPTIONS = [
  option('sbp', 'SBP', { payment_type: 'qrcode', payment_channel: 'sbp_qr' }),
  option('bank', 'Bank transfer', { payment_type: 'virtual_account' }),
  option('wallet', 'Wallet', { payment_type: 'wallet' }),
  option('card', 'Card', { payment_method: 'on_line', customer: ['email', 'phone', 'name'] }),
  option('crypto', 'Crypto', { payment_method: 'on_chain' }),
];
export const MANY_OPTIONS = Array.from({ length: 12 }, (_, index) =>
  option(`bank${index}`, `Bank ${index + 1}`, { payment_type: 'virtual_account' }),
);

const CHECKOUT: CheckoutResponse['checkout'] = {
  amount: '48.50',
  currency: 'EUR',
  product_name: 'Huila, washed, 1 kg',
  remark: 'Order 2041',
  options: OPTIONS,
  livemode: true,
  shop_name: 'Bean & Leaf',
  support_url: 'https://shop.example/help',
  link_schemes: ['sberpay'],
  return_url: 'https://shop.example/thank-you',
};

export const QR =
  '00020101021226520012bank.example0132a1b2c3d4e5f67890abcdef1234567890520400005303978540548.50' +
  '5802XX5911BEAN & LEAF6004CITY63044E78';
export const instant = (at: number): string => new Date(at).toISOString();

/** Of an order whose answer was lost. */
export const UNANSWERED: Partial<Order> = {
  outcome: 'confirming',
  next_action: null,
  status: null,
  order_no: null,
};
export const sampleOrder = (now: number, changes: Partial<Order>): Order => ({
  intent_id: '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11',
  request_id: 'k3v9q2m7x4t8w1z6b5n0c7d2fa',
  order_no: 'P20261121000042',
  order_key: 'c1.key',
  option: 'sbp',
  amount: '48.50',
  currency: 'EUR',
  status: 11,
  outcome: 'pending',
  next_action: { kind: 'scan_qr', qrcode_string: QR },
  open_amount: false,
  late: false,
  closed: false,
  other_payable: false,
  created_at: instant(now - 20_000),
  checked_at: instant(now - 5000),
  server_time: instant(now),
  ...changes,
});

export const checkoutAnswer = (
  changes: Partial<CheckoutResponse['checkout']> = {},
  ordered?: Order,
): Answer => ({
  status: 200,
  body: {
    contract: 1,
    checkout: { ...CHECKOUT, ...changes },
    ...(ordered ? { order: ordered } : {}),
  },
});

export const XRP: DepositAddress = {
  shop_name: 'Bean & Leaf',
  livemode: true,
  currency: 'XRP',
  address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  tag: '0',
  network: 'XRP Ledger',
  tag_label: 'Destination tag',
  minimum: '1',
  uri: 'ripple:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?dt=0',
};

export function problemAnswer(code: ProblemCode): Answer {
  if (code === 'relay_unreachable') return 'cut';
  if (code === 'contract_mismatch')
    return { status: 200, body: { contract: 2, checkout: CHECKOUT } };
  return {
    status: code in failureStatuses ? failureStatuses[code as keyof typeof failureStatuses] : 500,
    body: {
      error: {
        code,
        message: 'for the developer',
        reference: '4f1c2a90',
        support_url: 'https://shop.example/help',
      },
    },
  };
}
