/** The state machine of the checkout: the effect of each event, and rules for any sequence. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { readContact } from '../../../../relay/contract/customer.js';
import type { Order, Outcome } from '../../../../relay/contract/order.js';
import {
  start,
  transition,
  type CheckoutEvent,
  type Transition,
} from '../../../../widget/checkout/flow.js';

const order = (change: Partial<Order> = {}): Order => ({
  intent_id: 'i',
  request_id: 'i',
  order_no: null,
  order_key: 'k',
  option: 'qr',
  amount: '1',
  currency: 'USD',
  status: 11,
  outcome: 'pending',
  next_action: { kind: 'wait' },
  open_amount: true,
  late: false,
  other_payable: false,
  closed: false,
  created_at: '2026-01-01T00:00:00Z',
  checked_at: null,
  server_time: '2026-01-01T00:00:00Z',
  ...change,
});
const offer = {
  amount: '1',
  currency: 'USD',
  product_name: 'x',
  options: [],
  livemode: true,
  shop_name: 's',
  link_schemes: [],
};
const loaded = (standing?: Order): CheckoutEvent => ({
  type: 'checkout_loaded',
  answer: { contract: 1, checkout: offer, ...(standing ? { order: standing } : {}) },
});
const walk = (...events: CheckoutEvent[]): Transition => events.reduce(transition, start);
const received = (change: Partial<Order>): CheckoutEvent => ({
  type: 'order_received',
  order: order(change),
});
const chosen: CheckoutEvent = { type: 'option_chosen', option: 'qr' };

describe('flow', () => {
  it('moves from choosing to submitting, and then to awaiting_payment', () => {
    expect(walk(loaded()).state.phase).to.equal('choosing');
    expect(walk(loaded(), chosen).effect).to.deep.include({
      kind: 'pay',
      option: 'qr',
      replaces: null,
      expect: { amount: offer.amount, currency: offer.currency },
    });
    expect(walk(loaded(), chosen, received({})).state.phase).to.equal('awaiting_payment');
    expect(walk(loaded(), chosen, received({ next_action: null })).state.phase).to.equal(
      'submitting',
    );
    expect(
      walk(loaded(), chosen, received({ outcome: 'confirming', next_action: null })).state.phase,
    ).to.equal('confirming');
  });

  it('ignores a second choice when the first is being submitted', () => {
    const once = walk(loaded(), chosen);
    expect(transition(once, { type: 'option_chosen', option: 'card' })).to.deep.equal(once);
  });

  it('follows the order when the checkout is loaded with one', () =>
    expect(walk(loaded(order())).effect).to.deep.include({ kind: 'follow' }));

  it('replaces an order by another choice; shows it again only when it may be paid', () => {
    const again = walk(loaded(order()), { type: 'choose_again' });
    expect(again.state.phase).to.equal('choosing');
    expect(transition(again, chosen).effect).to.deep.include({ kind: 'pay', replaces: order() });
    expect(transition(again, received({ outcome: 'failed' })).state.phase).to.equal('choosing');
    for (const outcome of ['succeeded', 'review'] as const)
      expect(transition(again, received({ outcome })).state.phase).to.equal(outcome);
    expect(transition(again, { type: 'back_to_order' }).state.phase).to.equal('awaiting_payment');
  });

  it('follows every order that may still be paid, and stops when it has succeeded', () => {
    for (const outcome of [
      'failed',
      'expired',
      'unmapped',
      'review',
      'confirming',
      'pending',
    ] as const)
      expect(walk(loaded(order({ outcome }))).effect?.kind, outcome).to.equal('follow');
    expect(walk(loaded(order({ outcome: 'succeeded' }))).effect).to.equal(null);
  });

  const outcomes: Outcome[] = [
    'pending',
    'confirming',
    'succeeded',
    'failed',
    'expired',
    'unmapped',
    'review',
  ];
  const event = fc.oneof(
    fc.constant(loaded()),
    fc.constant(chosen),
    fc.constant<CheckoutEvent>({ type: 'choose_again' }),
    fc.constant<CheckoutEvent>({ type: 'back_to_order' }),
    fc.constant<CheckoutEvent>({ type: 'reload' }),
    fc.constant<CheckoutEvent>({ type: 'failed', problem: { code: 'internal', message: '' } }),
    fc.constantFrom(...outcomes).map((outcome) => received({ outcome })),
    fc.constantFrom(...outcomes).map((outcome) => loaded(order({ outcome }))),
  );
  it('shows a closed order as closed, whatever its outcome, and during a new choice too', () => {
    const closed = received({ closed: true, next_action: null });
    expect(walk(loaded(order()), closed).state.phase).to.equal('closed');
    expect(walk(loaded(order()), closed).effect).to.deep.include({ kind: 'follow' });
    const late = received({ closed: true, outcome: 'succeeded' });
    expect(walk(loaded(order()), closed, late)).to.deep.include({ effect: null });
    expect(walk(loaded(order()), closed, late).state.phase).to.equal('closed');
    expect(walk(loaded(order()), { type: 'choose_again' }, closed).state.phase).to.equal('closed');
  });

  it('shows a pay that is refused as intent_closed as closed, and any other as a problem', () => {
    const failed = (code: 'intent_closed' | 'intent_conflict'): CheckoutEvent => ({
      type: 'failed',
      problem: { code, message: '' },
    });
    expect(walk(failed('intent_closed')).state).to.deep.equal({
      phase: 'closed',
      offer: null,
      order: null,
      support_url: undefined,
    });
    expect(walk(loaded(), chosen, failed('intent_closed')).state.phase).to.equal('closed');
    expect(walk(loaded(), chosen, failed('intent_conflict')).state.phase).to.equal('problem');
  });

  it('shows a final phase only with that outcome after any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        let now = start;
        for (const next of events) {
          const before = now.state.phase;
          now = transition(now, next);
          const { state } = now;
          for (const final of ['succeeded', 'failed', 'expired'] as const)
            if (state.phase === final) expect(state.order.outcome).to.equal(final);
          if (before === 'succeeded' && state.phase !== 'succeeded')
            expect(['reload', 'failed', 'checkout_loaded']).to.include(next.type);
          if (now.effect?.kind === 'pay') expect(state.phase).to.equal('submitting');
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the contact data of an option', () => {
  for (const [field, text] of [
    ['email', 'maria@example.com'],
    ['email', 'Ｍａｒｉａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
    ['email', 'a\ufe6bexample\ufe52com'],
    ['email', 'mailto: я@почта.рф.'],
    ['phone', '12345'],
    ['phone', '+44 (0)20 7946 0018'],
    ['phone', 'tel:٠٣٠-١٢٣٤٥٦'],
    ['phone', '1234²'],
    ['name', '李'],
  ] as const)
    it(`is sent when the relay reads “${text}”`, () => {
      expect(readContact(field, text)).to.not.equal(null);
      const asks = { id: 'asks', label: 'a', payment_method: 'on_line', customer: [field] };
      const checkout = { ...offer, options: [asks] };
      const customer = { [field]: text };
      const { state } = walk(
        { type: 'checkout_loaded', answer: { contract: 1, checkout } },
        { type: 'option_chosen', option: 'asks', customer },
      );
      expect(state.phase).to.equal('submitting');
    });
});
