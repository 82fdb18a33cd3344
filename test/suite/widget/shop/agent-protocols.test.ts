/** What agents read of an order is valid in the pinned version of their protocol, and true. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { outcomes } from '../../../../relay/contract/outcomes.js';
import { backendOrder, type BackendOrder } from '../../../../relay/contract/responses.js';
import { toAcp, toUcpAction } from '../../../../widget/shop/index.js';

const instant = z.iso.datetime();
const https = z.url({ protocol: /^https$/ });
const action = z.strictObject({
  kind: z.enum(['scan_qr', 'open_page', 'open_wallet']),
  qrcode_string: z.string().optional(),
  checkout_url: z.string().optional(),
  wallet_url: z.string().optional(),
  amount: z.string(),
  currency: z.string(),
  payee: z.string().optional(),
  expires_at: instant.optional(),
});

/** Facts of UCP: checkout.json, actions.json, message_*.json, order_confirmation.json. */
const REVERSE_DOMAIN = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/;
const ucpMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('info'),
    content_type: z.enum(['plain', 'markdown']).optional(),
    content: z.string(),
  }),
  z.strictObject({
    type: z.literal('error'),
    code: z.string(),
    content_type: z.enum(['plain', 'markdown']).optional(),
    content: z.string(),
    severity: z.enum([
      'recoverable',
      'requires_buyer_input',
      'requires_buyer_review',
      'unrecoverable',
    ]),
  }),
]);
const ucp = z.strictObject({
  status: z.enum([
    'incomplete',
    'requires_escalation',
    'ready_for_complete',
    'complete_in_progress',
    'completed',
    'canceled',
  ]),
  actions: z
    .record(
      z.string().regex(REVERSE_DOMAIN),
      z.array(z.strictObject({ id: z.string().min(1), config: action })).min(1),
    )
    .optional(),
  messages: z.array(ucpMessage),
  expires_at: instant.optional(),
  continue_url: https.optional(),
  order: z.strictObject({ id: z.string(), permalink_url: z.url() }).optional(),
});

/** Facts of ACP: CheckoutSessionBase, Message* and Order of its JSON schema. */
const acpMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('info'),
    content_type: z.enum(['plain', 'markdown']),
    content: z.string(),
  }),
  z.strictObject({
    type: z.literal('error'),
    code: z.enum(['payment_declined', 'expired', 'conflict', 'not_found', 'unsupported']),
    content_type: z.enum(['plain', 'markdown']),
    content: z.string(),
  }),
]);
const acp = z.strictObject({
  status: z.enum([
    'incomplete',
    'not_ready_for_payment',
    'requires_escalation',
    'authentication_required',
    'ready_for_payment',
    'pending_approval',
    'complete_in_progress',
    'completed',
    'canceled',
    'in_progress',
    'expired',
  ]),
  messages: z.array(acpMessage),
  expires_at: instant.optional(),
  continue_url: https.optional(),
  metadata: z.strictObject({ next_action: action }).optional(),
  order: z
    .strictObject({
      type: z.literal('order'),
      id: z.string(),
      checkout_session_id: z.string(),
      permalink_url: z.url(),
      status: z.string(),
    })
    .optional(),
});

const NOW = '2026-11-21T10:00:00.000Z';
const nextActions: BackendOrder['next_action'][] = [
  null,
  { kind: 'wait' },
  { kind: 'scan_qr', qrcode_string: '00020101' },
  { kind: 'open_page', checkout_url: 'https://pay.example/p' },
  { kind: 'open_wallet', wallet_url: 'https://wallet.example/w' },
];
const orders: fc.Arbitrary<BackendOrder> = fc
  .record({
    outcome: fc.constantFrom(...outcomes),
    next_action: fc.constantFrom(...nextActions),
    closed: fc.boolean(),
    late_payment: fc.constantFrom(undefined, true as const),
    resolved_as: fc.constantFrom(undefined, 'succeeded' as const, 'failed' as const),
    other_payable: fc.boolean(),
    paid_by: fc.constantFrom(undefined, 'r-other'),
    payee: fc.constantFrom(undefined, 'Tea house'),
    expires_at: fc.constantFrom(
      undefined,
      NOW,
      '2026-11-21T09:59:59.000Z',
      '2026-11-21T10:15:00.000Z',
    ),
  })
  .map((fields) =>
    backendOrder.parse({
      intent_id: 'order-10042',
      request_id: 'r-1',
      order_no: null,
      order_key: 'k',
      option: 'qr',
      amount: '19.90',
      currency: 'USD',
      status: null,
      open_amount: false,
      late: false,
      created_at: NOW,
      checked_at: null,
      server_time: NOW,
      mode: 'token',
      product_name: 'T-shirt',
      customer_ref_id: 'c-42',
      livemode: true,
      ...fields,
    }),
  );

const addresses = {
  continue_url: 'https://shop.example/pay/p/k3v7',
  permalink_url: 'https://shop.example/orders/10042',
};
const toUcp = (order: BackendOrder) =>
  toUcpAction(order, { ...addresses, type: 'example.shop.pay' });
const toSession = (order: BackendOrder) => toAcp(order, { ...addresses, session_id: 'cs_1' });

const all = (check: (order: BackendOrder) => void): void =>
  fc.assert(fc.property(orders, check), { numRuns: 3000 });
const isPaidBack = ({ outcome, resolved_as }: BackendOrder): boolean =>
  outcome === 'succeeded' && resolved_as === 'failed';
const isKnownToBePaid = (order: BackendOrder): boolean => {
  const { closed, late_payment, outcome, paid_by } = order;
  if (late_payment !== undefined || isPaidBack(order)) return false;
  return outcome === 'succeeded' || (paid_by !== undefined && !closed);
};

describe('an order for agents', () => {
  it('is valid in the pinned version of each protocol, whatever the order', () =>
    all((order) => {
      ucp.parse(toUcp(order));
      acp.parse(toSession(order));
    }));

  it('needs no addresses, and leaves out what it does not know', () =>
    all((order) => {
      const [ucpBare, acpBare] = [ucp.parse(toUcpAction(order)), acp.parse(toAcp(order))];
      assert.deepEqual(Object.keys(ucpBare).sort(), ['messages', 'status']);
      assert.deepEqual(
        [ucpBare.status, acpBare.status],
        [toUcp(order).status, toSession(order).status],
      );
    }));

  it('leaves the end of the session to the shop, because that of a code comes earlier', () =>
    all((order) => {
      for (const session of [toUcp(order), toSession(order)]) assert.ok(!('expires_at' in session));
    }));

  it('is completed when the relay knows that it was paid in time, and only then', () =>
    all((order) => {
      for (const session of [toUcp(order), toSession(order)]) {
        assert.equal(session.status === 'completed', isKnownToBePaid(order));
        assert.equal(session.order !== undefined, session.status === 'completed');
      }
    }));

  it('is canceled when it is paid after a person resolved it as failed', () =>
    all((order) => {
      if (!isPaidBack(order)) return;
      assert.deepEqual([toUcp(order).status, toSession(order).status], ['canceled', 'canceled']);
    }));

  it('invites no further payment while an outcome is unknown', () =>
    all((order) => {
      if (!['confirming', 'unmapped', 'review'].includes(order.outcome)) return;
      for (const { status } of [toUcp(order), toSession(order)])
        assert.ok(['complete_in_progress', 'completed', 'canceled'].includes(status), status);
    }));

  it('invites no further payment while another order of the intent can be paid', () =>
    all((order) => {
      if (!order.other_payable) return;
      assert.notEqual(toUcp(order).status, 'incomplete');
      assert.notEqual(toSession(order).status, 'ready_for_payment');
    }));

  it('shows what to pay with while it is pending, and never after it expired', () =>
    all((order) => {
      const { expires_at, next_action, outcome } = order;
      const shows =
        outcome === 'pending' &&
        !isKnownToBePaid(order) &&
        !order.closed &&
        order.late_payment === undefined &&
        next_action !== null &&
        next_action.kind !== 'wait' &&
        (expires_at === undefined || expires_at > NOW);
      const [instance] = toUcp(order).actions?.['example.shop.pay'] ?? [];
      const config = shows
        ? JSON.parse(
            JSON.stringify({
              ...next_action,
              amount: '19.90',
              currency: 'USD',
              payee: order.payee,
              expires_at,
            }),
          )
        : undefined;
      assert.deepEqual(instance, shows ? { id: 'r-1', config } : undefined);
      assert.deepEqual(toSession(order).metadata?.next_action, config);
    }));
});
