/** The money rules of an order's life, over every short history and many long ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { OrderRow } from '../../../relay/ledger/rows.js';
import type { OrderEvent, Rules, ServiceOrder } from '../../../relay/orders/order-event.js';
import { transition } from '../../../relay/orders/order-state.js';
import { fresh, rules } from './fresh-order.js';

const walk = (facts: OrderEvent[], using = rules, from = fresh): OrderRow =>
  facts.reduce((order, fact) => transition(order, fact, using).order, from);
const paid: ServiceOrder = {
  status: 11,
  request_id: 'r1',
  currency: 'USD',
  order_amount: '12.5',
  qrcode_string: 'qr',
};
const answered = (answer: Partial<ServiceOrder> = {}): OrderEvent => ({
  type: 'pay_answered',
  at: 100,
  answer: { ...paid, ...answer },
});
/** Request_id, amount and currency as they should be. */
const echoes = { request_id: 'r1', currency: 'USD', order_amount: '12.5' };
const lost: OrderEvent = { type: 'pay_lost', at: 1 };
const refused: OrderEvent = { type: 'pay_refused', at: 1 };
const queried = (answer: Partial<ServiceOrder> = {}): OrderEvent => ({
  type: 'query_answered',
  at: 200,
  answer: { status: 11, ...answer },
});

describe('an order', () => {
  it('is pending with the link that came', () => {
    const order = walk([answered()]);
    assert.deepEqual(
      [order.outcome, order.next_action],
      ['pending', { kind: 'scan_qr', qrcode_string: 'qr' }],
    );
    assert.deepEqual(
      walk([answered({ qrcode_string: null, checkout_url: 'https://pay.example/1' })]).next_action,
      {
        kind: 'open_page',
        checkout_url: 'https://pay.example/1',
      },
    );
    assert.deepEqual(walk([answered({ qrcode_string: undefined })]).next_action, { kind: 'wait' });
  });

  for (const [what, answer, reason] of [
    ['another amount', { order_amount: '12.51' }, 'amount_mismatch'],
    ['an amount that is no decimal', { order_amount: '1.25e1' }, 'amount_mismatch'],
    ['another currency', { currency: 'EUR' }, 'currency_mismatch'],
    ['another request_id', { request_id: 'r2' }, 'request_id_mismatch'],
    ['another amount, and paid', { status: 20, order_amount: '1' }, 'amount_mismatch'],
    ['two links', { checkout_url: 'https://pay.example/1' }, 'two_links'],
    ['a script as link', { qrcode_string: null, checkout_url: 'javascript:1' }, 'link_not_allowed'],
    [
      'a wallet of an unknown scheme',
      { qrcode_string: null, wallet_url: 'evil://1' },
      'link_not_allowed',
    ],
  ] as const)
    it(`${what} goes to review, and shows nothing to pay with`, () => {
      const order = walk([answered(answer)]);
      assert.deepEqual(
        [order.outcome, order.review_reason, order.next_action],
        ['review', reason, null],
      );
    });

  it('an echo that is required and absent goes to review', () =>
    assert.equal(
      walk([answered({ currency: undefined })], { ...rules, requireEcho: true }).outcome,
      'review',
    ));

  it('reads a status that pay first returned as pending, and that query brings as unmapped', () => {
    assert.equal(walk([answered({ status: 7 })]).outcome, 'pending');
    assert.equal(walk([answered({ status: 7 }), queried({ status: 7 })]).outcome, 'pending');
    assert.equal(walk([answered(), queried({ status: 7 })]).outcome, 'unmapped');
    assert.equal(walk([lost, queried({ ...echoes, status: 7 })]).outcome, 'unmapped');
  });

  it('whose answer was lost is confirming until query knows more', () => {
    assert.deepEqual(transition(fresh, lost, rules).effects, ['query_now']);
    assert.equal(
      walk([lost, { type: 'query_missed', at: 2 }, { type: 'query_not_found', at: 3 }]).outcome,
      'confirming',
    );
    assert.deepEqual(
      [walk([lost, queried(echoes)]).outcome, walk([lost, queried(echoes)]).next_action],
      ['pending', { kind: 'wait' }],
    );
  });

  it('is sent again only when that is configured, after claim and grace, and without customer data', () => {
    const order = walk([lost]);
    const missing = (at: number, steadyMs?: number): OrderEvent => ({
      type: 'query_not_found',
      at,
      ...(steadyMs === undefined ? {} : { steadyMs }),
    });
    const resending = { ...rules, resendAfterS: 60 };
    const effects = (from: OrderRow, event: OrderEvent, using: Rules = resending) =>
      transition(from, event, using).effects;
    const due = 1 + rules.claimMs + 60_000;
    assert.deepEqual(effects(order, missing(due), rules), []);
    assert.deepEqual(effects(order, missing(due - 1)), []);
    assert.deepEqual(effects(order, missing(due)), ['resend']);
    assert.deepEqual(effects({ ...order, had_customer: true }, missing(due)), []);
    // the clock stepped forward a second ago: the time that it shows has not passed
    assert.deepEqual(effects(order, missing(due + 3_600_000, 1000)), []);
    // lost once more: the grace begins anew
    const claimed: OrderRow = { ...order, sending: 'claimed' };
    const again = transition(claimed, { type: 'pay_lost', at: 80_000 }, resending).order;
    assert.deepEqual(effects(again, missing(80_000 + due - 2)), []);
    assert.deepEqual(effects(again, missing(80_000 + due - 1)), ['resend']);
    assert.deepEqual(effects(walk([answered()]), missing(due)), []);
  });

  it('refused is failed and asked about once; found after all it is adopted', () => {
    assert.deepEqual(transition(fresh, refused, rules).effects, ['query_now']);
    assert.equal(walk([refused]).outcome, 'confirming');
    for (const type of ['query_missed', 'query_not_found'] as const) {
      const closed = walk([refused, { type, at: 2 }]);
      assert.equal(closed.outcome, 'failed');
      assert.notEqual(closed.next_check_at, null);
    }
    assert.equal(walk([refused, queried(echoes)]).outcome, 'pending');
  });

  it('paid after a failure or an expiry is late', () => {
    for (const status of [30, 40, 99]) {
      const order = walk([answered(), queried({ status }), queried({ status: 20 })]);
      assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
    }
    assert.equal(walk([answered(), queried({ status: 20 })]).late, false);
  });

  it('stays in review when a later answer lacks what differed, until a person decides', () => {
    const order = walk([answered(), queried({ order_amount: '1' }), queried({ status: 20 })]);
    assert.deepEqual(
      [order.outcome, order.review_reason, order.status, order.echoed_amount],
      ['review', 'amount_mismatch', 20, '1'],
    );
    assert.notEqual(order.next_check_at, null);
    const corrected = queried({ status: 20, order_amount: order.amount });
    assert.equal(walk([corrected], rules, order).echoed_amount, '1');
    const resolve = (as: 'succeeded' | 'failed'): OrderEvent => ({ type: 'resolved', at: 300, as });
    assert.equal(walk([resolve('succeeded')], rules, order).outcome, 'succeeded');
    const failed = walk([resolve('failed')], rules, order);
    assert.deepEqual([failed.outcome, failed.resolved_as], ['failed', 'failed']);
    const contrary = walk([queried({ status: 11 })], rules, failed);
    assert.deepEqual([contrary.outcome, contrary.review_reason], ['failed', 'by_table']);
    const paidAfter = walk([queried({ ...echoes, status: 20 })], rules, failed);
    assert.deepEqual([paidAfter.outcome, paidAfter.late], ['succeeded', true]);
    // what the person saw, or less than it, is no news
    const again = walk([queried({ status: 20 }), queried({ status: 20 })], rules, failed);
    assert.deepEqual([again.outcome, again.review_reason], ['failed', null]);
    const wrong = walk([queried({ status: 20, order_amount: '1' })], rules, failed);
    assert.equal(wrong.outcome, 'failed');
    // only a review is resolved
    assert.equal(walk([resolve('failed')], rules, walk([answered()])).outcome, 'pending');
  });

  it('resolved as failed stays failed when the answer under review comes again', () => {
    const resolve: OrderEvent = { type: 'resolved', at: 300, as: 'failed' };
    const bare = queried({ status: 20 });
    const first = walk([answered({ status: 20, order_amount: undefined }), resolve, bare]);
    assert.deepEqual([first.outcome, first.review_reason], ['failed', null]);
    const whole = queried({ ...echoes, status: 20 });
    const second = walk([refused, whole, resolve, whole]);
    assert.deepEqual([second.outcome, second.review_reason], ['failed', null]);
    const unproven = walk([answered(), queried({ order_amount: '1' }), resolve, bare]);
    assert.deepEqual([unproven.outcome, unproven.review_reason], ['failed', 'paid_before_answer']);
  });

  it('goes to review when query names another order_no and no request_id', () => {
    const other = { status: 20, order_no: 'P2', currency: 'USD', order_amount: '12.5' };
    const order = walk([answered({ order_no: 'P1' }), queried(other)]);
    assert.deepEqual(
      [order.outcome, order.review_reason, order.order_no],
      ['review', 'request_id_mismatch', 'P1'],
    );
    const ours = walk([answered({ order_no: 'P1' }), queried({ ...other, request_id: 'r1' })]);
    assert.deepEqual([ours.outcome, ours.order_no], ['succeeded', 'P2']);
  });

  describe('whose first answer says that it is paid', () => {
    const success = (answer: Partial<ServiceOrder> = {}): OrderEvent =>
      queried({ ...echoes, status: 20, ...answer });
    const result = (events: OrderEvent[]): (string | null)[] => {
      const { outcome, review_reason } = walk(events);
      return [outcome, review_reason];
    };
    it('is paid when an answer was lost and all three echoes are equal', () =>
      assert.deepEqual(result([lost, success()]), ['succeeded', null]));
    for (const name of ['request_id', 'currency', 'order_amount'] as const)
      it(`goes to review when ${name} is not echoed`, () => {
        const unproven = ['review', 'paid_before_answer'];
        assert.deepEqual(result([lost, success({ [name]: undefined })]), unproven);
        assert.deepEqual(result([answered({ status: 20, [name]: undefined })]), unproven);
      });
    it('goes to review with the reason of a difference', () => {
      assert.deepEqual(result([lost, success({ order_amount: '1' })]), [
        'review',
        'amount_mismatch',
      ]);
    });
    it('goes to review when every request was refused', () => {
      assert.deepEqual(result([refused, success()]), ['review', 'paid_before_answer']);
      // lost, sent again and refused: the lost request may have been taken
      const again: OrderRow = { ...walk([lost]), sending: 'refused' };
      assert.equal(walk([success()], rules, again).outcome, 'succeeded');
    });
    it('is paid when pay itself says so with all three echoes', () =>
      assert.deepEqual(result([answered({ status: 20 })]), ['succeeded', null]));
    it('is not adopted as pending without all three echoes', () => {
      const { currency: _left, ...two } = echoes;
      assert.equal(walk([lost, queried(two)]).outcome, 'confirming');
      assert.equal(walk([lost, queried(two)]).sending, 'lost');
      assert.equal(walk([refused, queried(two)]).outcome, 'failed');
    });
  });

  it('a question that finds a claim under way leaves its deadline alone', () => {
    for (const type of ['query_missed', 'query_not_found'] as const)
      assert.equal(
        transition(fresh, { type, at: 5000 }, { ...rules, resendAfterS: 1 }).order.next_check_at,
        fresh.next_check_at,
      );
  });

  it('a sender of an earlier claim says nothing of a later one', () => {
    const later = { ...fresh, version: 7 };
    for (const type of ['pay_unsent', 'pay_refused', 'pay_lost'] as const) {
      const { order, effects } = transition(later, { type, at: 5, claim: 3 }, rules);
      assert.deepEqual(
        [order.sending, order.outcome, order.next_check_at, effects],
        ['claimed', 'pending', later.next_check_at, []],
      );
    }
  });

  it('that was lost once is never taken for unsent', () => {
    const again: OrderRow = { ...walk([lost]), sending: 'claimed', version: 7 };
    const { order } = transition(again, { type: 'pay_unsent', at: 100_001, claim: 7 }, rules);
    assert.deepEqual([order.sending, order.outcome, order.lost_at], ['lost', 'confirming', 1]);
    assert.notEqual(order.next_check_at, null);
  });

  it('that was lost, and refused when sent again, stays open until an answer says that nobody has it', () => {
    const refused = walk([{ type: 'pay_refused', at: 100_001 }], rules, {
      ...walk([{ type: 'pay_lost', at: 1 }]),
      sending: 'claimed',
    });
    assert.equal(
      walk([{ type: 'query_missed', at: 100_002 }], rules, refused).outcome,
      'confirming',
    );
    assert.equal(
      walk([{ type: 'query_not_found', at: 100_002 }], rules, refused).outcome,
      'failed',
    );
  });

  it('keeps what a newer answer said, unless an older question brings success', () => {
    const known = walk([answered(), queried({ status: 30 })]);
    const old = (status: number): OrderRow =>
      transition(
        known,
        { type: 'query_answered', at: 600, knownAt: 100, answer: { status } },
        rules,
      ).order;
    assert.equal(old(11).outcome, 'failed');
    assert.equal(old(20).outcome, 'succeeded');
    const paidOrder = walk([answered(), queried({ status: 20 })]);
    const late: OrderEvent = {
      type: 'query_answered',
      at: 600,
      knownAt: 100,
      answer: { status: 11 },
    };
    assert.equal(transition(paidOrder, late, rules).order.review_reason, null);
  });

  it('whose link is longer than the contract allows goes to review', () => {
    for (const name of ['qrcode_string', 'checkout_url', 'wallet_url'] as const) {
      const order = walk([
        answered({ qrcode_string: undefined, [name]: `https://pay.example/${'x'.repeat(9000)}` }),
      ]);
      assert.deepEqual([order.outcome, order.next_action], ['review', null]);
    }
  });

  const answer = fc.record(
    {
      status: fc.constantFrom(11, 20, 30, 40, 7, 77),
      order_amount: fc.constantFrom('12.50', '12.5', '12.500', '1'),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
      request_id: fc.constantFrom('r1', 'r1', 'r1', 'r2'),
      qrcode_string: fc.constantFrom('qr', null),
      checkout_url: fc.constantFrom('https://pay.example/1', 'javascript:1', null),
    },
    { requiredKeys: ['status'] },
  );
  const fact: fc.Arbitrary<OrderEvent> = fc
    .tuple(
      fc.constantFrom(
        'pay_unsent',
        'pay_lost',
        'pay_refused',
        'pay_answered',
        'query_answered',
        'query_not_found',
        'query_missed',
      ),
      answer,
      fc.nat(1e9),
    )
    .map(([type, words, at]) =>
      type === 'pay_answered' || type === 'query_answered'
        ? { type, at, answer: words }
        : { type, at },
    );
  it('in any history: success only by the table and a matching echo, success stays, and only the first claim is answered', () => {
    let succeeded = 0;
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
        let order = fresh;
        for (const next of facts) {
          const after = transition(order, next, rules).order;
          assert.equal(after.version, order.version + 1);
          if (order.outcome === 'succeeded') assert.equal(after.outcome, 'succeeded');
          if (after.outcome === 'succeeded' && order.outcome !== 'succeeded') {
            succeeded++;
            assert.ok('answer' in next && next.answer.status === 20);
            assert.ok(
              next.answer.request_id !== 'r2' &&
                next.answer.currency !== 'EUR' &&
                next.answer.order_amount !== '1',
            );
          }
          if (after.outcome === 'failed' && order.outcome !== 'failed')
            assert.ok(
              order.sending === 'refused' || ('answer' in next && next.answer.status === 30),
            );
          if (after.outcome === 'review') assert.equal(after.next_action, null);
          assert.doesNotMatch(JSON.stringify(after.next_action), /javascript/);
          order = after;
        }
      }),
      { numRuns: 5000 },
    );
    assert.ok(succeeded > 100, `only ${succeeded} histories were paid`);
  });
});
