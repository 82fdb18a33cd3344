/** The money rules of an order's life, over every short history and many long ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { OrderRow } from '../../../relay/ledger/rows.js';
import { step, type Fact, type Said } from '../../../relay/orders/order-flow.js';
import { fresh, rules } from './fresh-order.js';

const walk = (facts: Fact[], using = rules, from = fresh): OrderRow =>
  facts.reduce((order, fact) => step(order, fact, using).order, from);
const paid: Said = {
  status: 11,
  request_id: 'r1',
  currency: 'USD',
  order_amount: '12.5',
  qrcode_string: 'qr',
};
const answered = (said: Partial<Said> = {}): Fact => ({
  type: 'pay_answered',
  at: 100,
  said: { ...paid, ...said },
});
const queried = (said: Partial<Said> = {}): Fact => ({
  type: 'query_answered',
  at: 200,
  said: { status: 11, ...said },
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

  for (const [what, said, reason] of [
    ['another amount', { order_amount: '12.51' }, 'echo_mismatch'],
    ['an amount that is no decimal', { order_amount: '1.25e1' }, 'echo_mismatch'],
    ['another currency', { currency: 'EUR' }, 'echo_mismatch'],
    ['another request_id', { request_id: 'r2' }, 'echo_mismatch'],
    ['another amount, and paid', { status: 20, order_amount: '1' }, 'echo_mismatch'],
    ['two links', { checkout_url: 'https://pay.example/1' }, 'two_links'],
    ['a script as link', { qrcode_string: null, checkout_url: 'javascript:1' }, 'link_not_allowed'],
    [
      'a wallet of an unknown scheme',
      { qrcode_string: null, wallet_url: 'evil://1' },
      'link_not_allowed',
    ],
  ] as const)
    it(`${what} goes to review, and shows nothing to pay with`, () => {
      const order = walk([answered(said)]);
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
    assert.equal(walk([{ type: 'pay_lost', at: 1 }, queried({ status: 7 })]).outcome, 'unmapped');
  });

  it('whose answer was lost is confirming until query knows more', () => {
    const lost: Fact = { type: 'pay_lost', at: 1 };
    assert.deepEqual(step(fresh, lost, rules).work, ['query_now']);
    assert.equal(
      walk([lost, { type: 'query_missed', at: 2 }, { type: 'query_not_found', at: 3 }]).outcome,
      'confirming',
    );
    assert.deepEqual(
      [walk([lost, queried()]).outcome, walk([lost, queried()]).next_action],
      ['pending', { kind: 'wait' }],
    );
  });

  it('is sent again only when that is configured, late enough, and without customer data', () => {
    const lost = walk([{ type: 'pay_lost', at: 1 }]);
    const missing = (at: number): Fact => ({ type: 'query_not_found', at });
    const resending = { ...rules, resendAfterS: 60 };
    assert.deepEqual(step(lost, missing(60_000), rules).work, []);
    assert.deepEqual(step(lost, missing(60_000), resending).work, []);
    assert.deepEqual(step(lost, missing(60_001), resending).work, ['send_again']);
    assert.deepEqual(step({ ...lost, had_customer: true }, missing(60_001), resending).work, []);
    // lost once more: the grace begins anew
    const again = step(
      step(lost, missing(60_001), resending).order,
      { type: 'pay_lost', at: 70_000 },
      resending,
    ).order;
    assert.deepEqual(step(again, missing(129_999), resending).work, []);
    assert.deepEqual(step(again, missing(130_000), resending).work, ['send_again']);
    assert.deepEqual(step(walk([answered()]), missing(60_000), resending).work, []);
  });

  it('refused is failed and asked about once; found after all it is adopted', () => {
    const refused: Fact = { type: 'pay_refused', at: 1 };
    assert.deepEqual(step(fresh, refused, rules).work, ['query_now']);
    assert.equal(walk([refused]).outcome, 'confirming');
    for (const type of ['query_missed', 'query_not_found'] as const) {
      const closed = walk([refused, { type, at: 2 }]);
      assert.equal(closed.outcome, 'failed');
      assert.notEqual(closed.next_check_at, null);
    }
    assert.equal(walk([refused, queried()]).outcome, 'pending');
  });

  it('paid after a failure, an expiry or a review is late', () => {
    for (const before of [
      queried({ status: 30 }),
      queried({ status: 40 }),
      queried({ status: 99 }),
      queried({ order_amount: '1' }),
    ]) {
      const order = walk([answered(), before, queried({ status: 20 })]);
      assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
    }
    assert.equal(walk([answered(), queried({ status: 20 })]).late, false);
  });

  it('a question that finds a claim under way leaves its deadline alone', () => {
    for (const type of ['query_missed', 'query_not_found'] as const)
      assert.equal(
        step(fresh, { type, at: 5000 }, { ...rules, resendAfterS: 1 }).order.next_check_at,
        fresh.next_check_at,
      );
  });

  it('a sender of an earlier claim says nothing of a later one', () => {
    const later = { ...fresh, version: 7 };
    for (const type of ['pay_unsent', 'pay_refused', 'pay_lost'] as const) {
      const { order, work } = step(later, { type, at: 5, claim: 3 }, rules);
      assert.deepEqual(
        [order.sending, order.outcome, order.next_check_at, work],
        ['claimed', 'pending', later.next_check_at, []],
      );
    }
  });

  it('that was lost once is never taken for unsent', () => {
    const again = walk(
      [
        { type: 'pay_lost', at: 1 },
        { type: 'query_not_found', at: 100_000 },
      ],
      { ...rules, resendAfterS: 60 },
    );
    assert.equal(again.sending, 'claimed');
    const { order } = step(again, { type: 'pay_unsent', at: 100_001, claim: again.version }, rules);
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

  it('an answer to an older question changes nothing, unless it says success', () => {
    const known = walk([
      answered(),
      { type: 'query_answered', at: 500, asked: 450, said: { status: 30 } },
    ]);
    const old = (status: number): OrderRow =>
      step(known, { type: 'query_answered', at: 600, asked: 400, said: { status } }, rules).order;
    assert.equal(old(11).outcome, 'failed');
    assert.equal(old(20).outcome, 'succeeded');
    const paidOrder = walk([
      answered(),
      { type: 'query_answered', at: 500, asked: 450, said: { status: 20 } },
    ]);
    assert.equal(
      step(paidOrder, { type: 'query_answered', at: 600, asked: 400, said: { status: 11 } }, rules)
        .order.review_reason,
      null,
    );
  });

  it('whose link is longer than the contract allows goes to review', () => {
    for (const name of ['qrcode_string', 'checkout_url', 'wallet_url'] as const) {
      const order = walk([
        answered({ qrcode_string: undefined, [name]: `https://pay.example/${'x'.repeat(9000)}` }),
      ]);
      assert.deepEqual([order.outcome, order.next_action], ['review', null]);
    }
  });

  const said = fc.record(
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
  const fact: fc.Arbitrary<Fact> = fc
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
      said,
      fc.nat(1e9),
    )
    .map(([type, words, at]) =>
      type === 'pay_answered' || type === 'query_answered'
        ? { type, at, said: words }
        : { type, at },
    );
  it('in any history: success only by the table and a matching echo, success stays, and only the first claim is answered', () => {
    let succeeded = 0;
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
        let order = fresh;
        for (const next of facts) {
          const after = step(order, next, rules).order;
          assert.equal(after.version, order.version + 1);
          if (order.outcome === 'succeeded') assert.equal(after.outcome, 'succeeded');
          if (after.outcome === 'succeeded' && order.outcome !== 'succeeded') {
            succeeded++;
            assert.ok('said' in next && next.said.status === 20);
            assert.ok(
              next.said.request_id !== 'r2' &&
                next.said.currency !== 'EUR' &&
                next.said.order_amount !== '1',
            );
          }
          if (after.outcome === 'failed' && order.outcome !== 'failed')
            assert.ok(order.sending === 'refused' || ('said' in next && next.said.status === 30));
          if (after.outcome === 'review') assert.equal(after.next_action, null);
          assert.doesNotMatch(JSON.stringify(after.next_action), /javascript/);
          order = after;
        }
      }),
      { numRuns: 5000 },
    );
    assert.ok(succeeded > 200, `only ${succeeded} histories were paid`);
  });
});
