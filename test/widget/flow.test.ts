/** The state machine of the checkout: the effect of each fact, and rules for any sequence. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Order, Outcome } from '../../relay/contract/order.js';
import { start, step, type Fact, type Step } from '../../widget/checkout/flow.js';

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
const loaded = (standing?: Order): Fact => ({
  type: 'checkout_loaded',
  answer: { contract: 1, checkout: offer, ...(standing ? { order: standing } : {}) },
});
const walk = (...facts: Fact[]): Step => facts.reduce(step, start);
const received = (change: Partial<Order>): Fact => ({
  type: 'order_received',
  order: order(change),
});
const chosen: Fact = { type: 'option_chosen', option: 'qr' };

describe('flow', () => {
  it('goes from the offer through submission to the awaited payment', () => {
    expect(walk(loaded()).state.phase).to.equal('choosing');
    expect(walk(loaded(), chosen).work).to.deep.include({
      kind: 'pay',
      option: 'qr',
      replaces: null,
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
    expect(step(once, { type: 'option_chosen', option: 'card' })).to.deep.equal(once);
  });

  it('follows the order when the checkout is loaded with one', () =>
    expect(walk(loaded(order())).work).to.deep.include({ kind: 'follow' }));

  it('replaces an order by another choice, and shows the earlier order only when it is paid', () => {
    const again = walk(loaded(order()), { type: 'choose_again' });
    expect(again.state.phase).to.equal('choosing');
    expect(step(again, chosen).work).to.deep.include({ kind: 'pay', replaces: order() });
    expect(step(again, received({ outcome: 'failed' })).state.phase).to.equal('choosing');
    expect(step(again, received({ outcome: 'succeeded' })).state.phase).to.equal('succeeded');
    expect(step(again, { type: 'back_to_order' }).state.phase).to.equal('awaiting_payment');
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
      expect(walk(loaded(order({ outcome }))).work?.kind, outcome).to.equal('follow');
    expect(walk(loaded(order({ outcome: 'succeeded' }))).work).to.equal(null);
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
  const fact = fc.oneof(
    fc.constant(loaded()),
    fc.constant(chosen),
    fc.constant<Fact>({ type: 'choose_again' }),
    fc.constant<Fact>({ type: 'back_to_order' }),
    fc.constant<Fact>({ type: 'reload' }),
    fc.constant<Fact>({ type: 'failed', problem: { code: 'internal', message: '' } }),
    fc.constantFrom(...outcomes).map((outcome) => received({ outcome })),
    fc.constantFrom(...outcomes).map((outcome) => loaded(order({ outcome }))),
  );
  it('shows a final phase only with that outcome after any sequence of facts', () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 20 }), (facts) => {
        let now = start;
        for (const next of facts) {
          const before = now.state.phase;
          now = step(now, next);
          const { state } = now;
          for (const final of ['succeeded', 'failed', 'expired'] as const)
            if (state.phase === final) expect(state.order.outcome).to.equal(final);
          if (before === 'succeeded' && state.phase !== 'succeeded')
            expect(['reload', 'failed', 'checkout_loaded']).to.include(next.type);
          if (now.work?.kind === 'pay') expect(state.phase).to.equal('submitting');
        }
      }),
      { numRuns: 3000 },
    );
  });
});
