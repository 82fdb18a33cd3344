/** The money rules of an order, for each event and for many random histories. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openForMs } from '../../../../relay/ledger/open-orders.js';
import { isPaidLate, type OrderRow } from '../../../../relay/ledger/rows.js';
import type { Rules, ServiceOrder } from '../../../../relay/orders/order-event.js';
import { fresh, rules, transition, type TestEvent } from './fresh-order.js';

const applyAll = (events: TestEvent[], using = rules, from = fresh): OrderRow =>
  events.reduce((order, event) => transition(order, event, using).order, from);
/** The answer to a pay: created, not paid yet. */
const created: ServiceOrder = {
  status: 11,
  request_id: 'r1',
  currency: 'USD',
  order_amount: '12.5',
  qrcode_string: 'qr',
};
const answered = (answer: Partial<ServiceOrder> = {}): TestEvent => ({
  type: 'pay_answered',
  at: 100,
  answer: { ...created, ...answer },
});
/** The three echoes, all equal to the order. */
const echoes = { request_id: 'r1', currency: 'USD', order_amount: '12.5' };
const lost: TestEvent = { type: 'pay_lost', at: 1 };
const refused: TestEvent = { type: 'pay_refused', at: 1 };
const queried = (answer: Partial<ServiceOrder> = {}): TestEvent => ({
  type: 'query_answered',
  at: 200,
  answer: { status: 11, ...answer },
});

describe('an order', () => {
  it('makes an order pending when pay is answered, and stores the link’s next action', () => {
    const order = applyAll([answered()]);
    assert.deepEqual(
      [order.outcome, order.next_action],
      ['pending', { kind: 'scan_qr', qrcode_string: 'qr' }],
    );
    assert.deepEqual(
      applyAll([answered({ qrcode_string: null, checkout_url: 'https://pay.example/1' })])
        .next_action,
      {
        kind: 'open_page',
        checkout_url: 'https://pay.example/1',
      },
    );
    assert.deepEqual(applyAll([answered({ qrcode_string: undefined })]).next_action, {
      kind: 'wait',
    });
  });

  it('lets a code expire at its time, and not before', () => {
    const made = { ...applyAll([answered()]), created_at: 5000, expires_at: 6000 };
    const hasExpired = (at: number): boolean =>
      applyAll([{ ...queried(), at }], rules, made).has_expired;
    assert.deepEqual([hasExpired(5999), hasExpired(6000)], [false, true]);
  });

  it('keeps a code expired when the clock later steps back', () => {
    const pending = { ...applyAll([answered()]), expires_at: 1000 };
    const aged = (ageMs: number): TestEvent => ({ ...queried(), at: -3_600_000, ageMs });
    assert.equal(applyAll([aged(999)], rules, pending).has_expired, false);
    const over = applyAll([aged(1000), aged(500)], rules, pending);
    assert.equal(over.has_expired, true);
    assert.equal(openForMs(over, 500), 0);
  });

  it('expires a code by the order’s age, and none of an order of unknown age', () => {
    const pending = { ...applyAll([answered()]), expires_at: 1000 };
    for (const ageMs of [300, null])
      assert.equal(
        applyAll([{ ...queried(), at: 9_000_000, ageMs }], rules, pending).has_expired,
        false,
      );
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
    it(`puts an order into review, with nothing to pay, when its answer has ${what}`, () => {
      const order = applyAll([answered(answer)]);
      assert.deepEqual(
        [order.outcome, order.review_reason, order.next_action],
        ['review', reason, null],
      );
    });

  it('puts an order into review when a required echo is absent', () =>
    assert.equal(
      applyAll([answered({ currency: undefined })], { ...rules, requireEcho: true }).outcome,
      'review',
    ));

  it('reads an unknown status as pending from pay, and as unmapped from a query', () => {
    assert.equal(applyAll([answered({ status: 7 })]).outcome, 'pending');
    assert.equal(applyAll([answered({ status: 7 }), queried({ status: 7 })]).outcome, 'pending');
    assert.equal(applyAll([answered(), queried({ status: 7 })]).outcome, 'unmapped');
    assert.equal(applyAll([lost, queried({ ...echoes, status: 7 })]).outcome, 'unmapped');
  });

  it('keeps an order confirming when its answer was lost, until a query finds it', () => {
    assert.deepEqual(transition(fresh, lost, rules).effects, ['query_now']);
    assert.equal(
      applyAll([lost, { type: 'query_missed', at: 2 }, { type: 'query_not_found', at: 3 }]).outcome,
      'confirming',
    );
    assert.deepEqual(
      [applyAll([lost, queried(echoes)]).outcome, applyAll([lost, queried(echoes)]).next_action],
      ['pending', { kind: 'wait' }],
    );
  });

  it('resends a lost order only if configured, due, and without customer data', () => {
    const order = applyAll([lost]);
    const notFound = (at: number, steadyMs?: number): TestEvent => ({
      type: 'query_not_found',
      at,
      ...(steadyMs === undefined ? {} : { steadyMs }),
    });
    const resending = { ...rules, resendAfterS: 60 };
    const effects = (from: OrderRow, event: TestEvent, using: Rules = resending) =>
      transition(from, event, using).effects;
    const due = 1 + rules.claimMs + 60_000;
    assert.deepEqual(effects(order, notFound(due), rules), []);
    assert.deepEqual(effects(order, notFound(due - 1)), []);
    assert.deepEqual(effects(order, notFound(due)), ['resend']);
    assert.deepEqual(effects({ ...order, had_customer: true }, notFound(due)), []);
    // the wall clock jumped ahead by an hour, and only one second has passed since
    assert.deepEqual(effects(order, notFound(due + 3_600_000, 1000)), []);
    // an order that is lost a second time waits again
    const claimed: OrderRow = { ...order, sending: 'claimed' };
    const again = transition(claimed, { type: 'pay_lost', at: 80_000 }, resending).order;
    assert.deepEqual(effects(again, notFound(80_000 + due - 2)), []);
    assert.deepEqual(effects(again, notFound(80_000 + due - 1)), ['resend']);
    assert.deepEqual(effects(applyAll([answered()]), notFound(due)), []);
    // the service knew it before: the pay has arrived
    const known = applyAll([lost, queried({ request_id: 'r1' })]);
    assert.deepEqual([known.sending, effects(known, notFound(due))], ['lost', []]);
  });

  describe('that is no longer followed', () => {
    const DAY_MS = 86_400_000;
    const HOUR_MS = 3_600_000;
    const old: OrderRow = { ...applyAll([answered()]), next_check_at: null };
    const missed = (at: number): TestEvent => ({ type: 'query_missed', at });
    const signalled = (at: number): TestEvent => ({ type: 'signalled', at });

    it('is due at a signal, and is followed for the same number of days again', () => {
      const at = 30 * DAY_MS;
      const due = applyAll([signalled(at)], rules, old);
      assert.deepEqual([due.next_check_at, due.outcome], [at, 'pending']);
      assert.equal(applyAll([missed(at)], rules, due).next_check_at, at + HOUR_MS);
      const asked = { ...queried(), at: 33 * DAY_MS - HOUR_MS };
      assert.equal(applyAll([asked], rules, due).next_check_at, 33 * DAY_MS);
      assert.equal(applyAll([missed(33 * DAY_MS)], rules, due).next_check_at, null);
    });

    it('keeps its schedule at a signal while it is followed', () => {
      const followed = { ...old, next_check_at: 7 };
      assert.equal(applyAll([signalled(5)], rules, followed).next_check_at, 7);
    });

    it('asks about a paid order after a signal until the service answers', () => {
      const paid: OrderRow = { ...old, outcome: 'succeeded', status: 20 };
      const notFound: TestEvent = { type: 'query_not_found', at: 6 };
      const due = applyAll([signalled(5)], rules, paid);
      assert.equal(due.next_check_at, 5);
      assert.ok(applyAll([missed(6)], rules, due).next_check_at);
      assert.equal(applyAll([queried({ status: 20 })], rules, due).next_check_at, null);
      assert.equal(applyAll([notFound], rules, due).next_check_at, null);
    });

    it('does not follow a paid order again when somebody asks in vain', () => {
      const paid: OrderRow = { ...old, outcome: 'succeeded', status: 20 };
      for (const type of ['query_missed', 'query_not_found'] as const)
        assert.equal(applyAll([{ type, at: 6 }], rules, paid).next_check_at, null, type);
    });

    it('begins its days again, once, when its last check gets no answer', () => {
      const at = 20 * DAY_MS;
      const again = applyAll([missed(at)], rules, { ...old, next_check_at: 3 * DAY_MS });
      assert.equal(again.next_check_at, at + HOUR_MS);
      assert.equal(applyAll([missed(at + 3 * DAY_MS)], rules, again).next_check_at, null);
      // a page or a backend asked about an order that was not due
      assert.equal(applyAll([missed(at)], rules, old).next_check_at, null);
    });
  });

  it('fails a refused order when no query finds it, and makes it pending when a query does', () => {
    assert.deepEqual(transition(fresh, refused, rules).effects, ['query_now']);
    assert.equal(applyAll([refused]).outcome, 'confirming');
    for (const type of ['query_missed', 'query_not_found'] as const) {
      const closed = applyAll([refused, { type, at: 2 }]);
      assert.equal(closed.outcome, 'failed');
      assert.notEqual(closed.next_check_at, null);
    }
    assert.equal(applyAll([refused, queried(echoes)]).outcome, 'pending');
  });

  it('marks an order as late when it is paid after it failed, expired or was unmapped', () => {
    for (const status of [30, 40, 99]) {
      const order = applyAll([answered(), queried({ status }), queried({ status: 20 })]);
      assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
    }
    assert.equal(applyAll([answered(), queried({ status: 20 })]).late, false);
  });

  it('marks it as late also when the service called it unpaid again in between', () => {
    for (const status of [30, 40, 99]) {
      const events = [answered(), queried({ status }), queried()];
      const unpaid = applyAll(events);
      assert.deepEqual([unpaid.outcome, isPaidLate(unpaid)], ['pending', false]);
      assert.ok(isPaidLate(applyAll([...events, queried({ status: 20 })])));
    }
  });

  describe('in review', () => {
    const inReview = applyAll([answered(), queried({ order_amount: '1' })]);
    const resolve = (as: 'succeeded' | 'failed'): TestEvent => ({ type: 'resolved', at: 300, as });
    const failed = applyAll([resolve('failed')], rules, inReview);
    const result = ({ outcome, review_reason }: OrderRow): unknown[] => [outcome, review_reason];

    it('keeps a review when a later answer omits the field that differed', () => {
      const order = applyAll([queried({ status: 20 })], rules, inReview);
      assert.deepEqual(result(order), ['review', 'amount_mismatch']);
      assert.deepEqual([order.status, order.echoed_amount], [20, '1']);
      assert.notEqual(order.next_check_at, null);
    });

    it('keeps the differing echo of a review when a later answer echoes the amount', () => {
      const corrected = queried({ status: 20, order_amount: inReview.amount });
      assert.equal(applyAll([corrected], rules, inReview).echoed_amount, '1');
    });

    it('ends a review as a person resolves it, and resolves no order that is not in review', () => {
      assert.equal(applyAll([resolve('succeeded')], rules, inReview).outcome, 'succeeded');
      assert.deepEqual([failed.outcome, failed.resolved_as], ['failed', 'failed']);
      const pending = applyAll([answered()]);
      assert.equal(applyAll([resolve('failed')], rules, pending).outcome, 'pending');
    });

    it('gives a review reason when the service contradicts the resolution “failed”', () => {
      const contrary = applyAll([queried({ status: 30 })], rules, failed);
      assert.deepEqual(result(contrary), ['failed', null]);
      const unmapped = applyAll([queried({ status: 99 })], rules, failed);
      assert.deepEqual(result(unmapped), ['failed', 'by_table']);
    });

    it('turns the resolution “failed” into a late success when all echoes prove it', () => {
      const order = applyAll([queried({ ...echoes, status: 20 })], rules, failed);
      assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
    });

    it('keeps the resolution “failed” of a late success when a later review ends', () => {
      const paid = queried({ ...echoes, status: 20 });
      for (const status of [30, 99]) {
        const reviewed = applyAll([paid, queried({ status })], rules, failed);
        assert.deepEqual(result(reviewed), ['succeeded', 'status_after_success']);
        const ended = applyAll([resolve('succeeded')], rules, reviewed);
        assert.deepEqual([...result(ended), ended.resolved_as], ['succeeded', null, 'failed']);
      }
    });

    it('starts no second review of a late success by answers about another order', () => {
      const another = queried({ request_id: 'r9', status: 30 });
      const reviewed = applyAll([queried({ ...echoes, status: 20 }), another], rules, failed);
      assert.deepEqual(result(reviewed), ['succeeded', 'request_id_mismatch']);
      const ended = applyAll([resolve('succeeded'), another], rules, reviewed);
      assert.deepEqual(result(ended), ['succeeded', null]);
    });

    it('keeps the resolution “failed” when a payment is not proven', () => {
      const bare = applyAll([queried({ status: 20 })], rules, failed);
      assert.deepEqual(result(bare), ['failed', 'paid_before_answer']);
      const wrong = applyAll([queried({ status: 20, order_amount: '1' })], rules, failed);
      assert.deepEqual(result(wrong), ['failed', 'amount_mismatch']);
    });

    it('keeps the resolution “failed” when the answer under review comes again', () => {
      const bare = queried({ status: 20 });
      const unproven = answered({ status: 20, order_amount: undefined });
      assert.deepEqual(result(applyAll([unproven, resolve('failed'), bare])), ['failed', null]);
      const proven = queried({ ...echoes, status: 20 });
      const unplaced = [refused, proven, resolve('failed'), proven];
      assert.deepEqual(result(applyAll(unplaced)), ['failed', null]);
    });

    describe('whose payment was reported before the resolution “failed”', () => {
      const twoLinks = { checkout_url: 'https://pay.example/1', order_amount: undefined };
      const bare = answered({ ...twoLinks, request_id: undefined, currency: undefined });
      const proven = queried({ ...echoes, status: 20 });

      for (const [what, events] of [
        ['before it', [bare, proven]],
        ['with another amount first', [answered(), queried({ order_amount: '1' }), proven]],
      ] satisfies [string, TestEvent[]][])
        it(`ignores the same payment when all three were right ${what}`, () =>
          assert.deepEqual(result(applyAll([...events, resolve('failed'), proven])), [
            'failed',
            null,
          ]));

      for (const [what, events] of [
        ['was not reported', [bare]],
        ['lacked an echo', [bare, queried({ status: 20, currency: 'USD', order_amount: '12.5' })]],
        ['had another amount', [answered({ order_amount: '1' }), queried({ status: 20 })]],
        ['was followed by another status', [bare, proven, queried({ status: 30 })]],
      ] satisfies [string, TestEvent[]][])
        it(`becomes a late success when the payment ${what}`, () => {
          const order = applyAll([...events, resolve('failed'), proven]);
          assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
        });

      it('stays “failed”, with a review, when another status and the payment come again', () => {
        const unpaid = queried({ status: 30 });
        const events = [bare, proven, resolve('failed'), unpaid, proven];
        assert.deepEqual(result(applyAll(events)), ['failed', 'paid_before_answer']);
        const decidedTwice = [...events, unpaid, resolve('failed'), proven];
        assert.deepEqual(result(applyAll(decidedTwice)), ['failed', 'paid_before_answer']);
      });
    });

    it('keeps the echo that contradicts the resolution “failed”', () => {
      const contrary = queried({ ...echoes, status: 20, order_amount: '2' });
      const right = queried({ status: 20, order_amount: '12.5' });
      const order = applyAll([contrary, right], rules, failed);
      assert.deepEqual([order.review_reason, order.echoed_amount], ['amount_mismatch', '2']);
    });
  });

  describe('with another order_no in the answer to a query', () => {
    const other = { status: 20, order_no: 'P2', currency: 'USD', order_amount: '12.5' };

    it('starts a review when another order_no comes without a request_id', () => {
      const order = applyAll([answered({ order_no: 'P1' }), queried(other)]);
      assert.deepEqual(
        [order.outcome, order.review_reason, order.order_no],
        ['review', 'request_id_mismatch', 'P1'],
      );
    });

    it('stores an order_no of up to 64 characters, without those that no database stores', () => {
      const stored = (order_no: string): unknown => applyAll([answered({ order_no })]).order_no;
      assert.equal(stored('P'.repeat(64)), 'P'.repeat(64));
      assert.equal(stored('P\u00001'), 'P1');
      assert.equal(stored('P\ud8001'), 'P1');
      assert.equal(stored('P😀1'), 'P😀1');
      assert.equal(stored('P'.repeat(65)), null);
    });

    it('compares no order_no that is too long to be stored', () => {
      const long = queried({ order_no: 'P'.repeat(65) });
      const order = applyAll([answered({ order_no: 'P1' }), long]);
      assert.deepEqual([order.outcome, order.order_no], ['pending', 'P1']);
    });

    it('stores another order_no when it comes with the order’s request_id', () => {
      const order = applyAll([
        answered({ order_no: 'P1' }),
        queried({ ...other, request_id: 'r1' }),
      ]);
      assert.deepEqual([order.outcome, order.order_no], ['succeeded', 'P2']);
    });
  });

  describe('with a first answer that says paid', () => {
    const success = (answer: Partial<ServiceOrder> = {}): TestEvent =>
      queried({ ...echoes, status: 20, ...answer });
    const result = (events: TestEvent[]): (string | null)[] => {
      const { outcome, review_reason } = applyAll(events);
      return [outcome, review_reason];
    };
    it('counts a first answer as paid when the pay was lost and all echoes are equal', () =>
      assert.deepEqual(result([lost, success()]), ['succeeded', null]));
    for (const name of ['request_id', 'currency', 'order_amount'] as const)
      it(`starts a review when a first answer says paid without the echo of ${name}`, () => {
        const unproven = ['review', 'paid_before_answer'];
        assert.deepEqual(result([lost, success({ [name]: undefined })]), unproven);
        assert.deepEqual(result([answered({ status: 20, [name]: undefined })]), unproven);
      });
    it('starts a review with its reason when a first answer says paid and differs', () => {
      assert.deepEqual(result([lost, success({ order_amount: '1' })]), [
        'review',
        'amount_mismatch',
      ]);
    });
    it('starts a review when an order is paid though every request was refused', () => {
      assert.deepEqual(result([refused, success()]), ['review', 'paid_before_answer']);
      // lost, sent again and refused: the lost request may have been accepted
      const again: OrderRow = { ...applyAll([lost]), sending: 'refused' };
      assert.equal(applyAll([success()], rules, again).outcome, 'succeeded');
    });
    it('counts an order as paid when pay says paid with all three echoes', () =>
      assert.deepEqual(result([answered({ status: 20 })]), ['succeeded', null]));
  });

  it('keeps an order confirming when no pay answered and a query lacks an echo', () => {
    const { currency: _left, ...two } = echoes;
    assert.equal(applyAll([lost, queried(two)]).outcome, 'confirming');
    assert.equal(applyAll([lost, queried(two)]).sending, 'lost');
    assert.equal(applyAll([refused, queried(two)]).outcome, 'failed');
  });

  it('keeps the end of a claim when a query finds nothing', () => {
    for (const type of ['query_missed', 'query_not_found'] as const)
      assert.equal(
        transition(fresh, { type, at: 5000 }, { ...rules, resendAfterS: 1 }).order.next_check_at,
        fresh.next_check_at,
      );
  });

  it('keeps a claim when an event says nothing about the order, or does not prove it', () => {
    const events: TestEvent[] = [
      { type: 'query_not_found', at: 5 },
      { type: 'query_missed', at: 5 },
      { type: 'signalled', at: 5 },
      { type: 'pay_lost', at: 5, claim: 3 },
      { type: 'resolved', at: 5, as: 'failed' },
      queried({ status: 11 }),
    ];
    for (const event of events) {
      const claimed = transition({ ...fresh, version: 7 }, event, rules).order;
      const result: TestEvent = { type: 'pay_refused', at: 6, claim: 7 };
      assert.equal(transition(claimed, result, rules).order.sending, 'refused', event.type);
    }
  });

  it('ignores the result of an earlier claim', () => {
    const later = { ...fresh, version: 7 };
    for (const type of ['pay_unsent', 'pay_refused', 'pay_lost'] as const) {
      const { order, effects } = transition(later, { type, at: 5, claim: 3 }, rules);
      assert.deepEqual(
        [order.sending, order.outcome, order.next_check_at, effects],
        ['claimed', 'pending', later.next_check_at, []],
      );
    }
  });

  it('keeps an order lost when its resend was not sent', () => {
    const again: OrderRow = { ...applyAll([lost]), sending: 'claimed', version: 7 };
    const { order } = transition(again, { type: 'pay_unsent', at: 100_001, claim: 7 }, rules);
    assert.deepEqual([order.sending, order.outcome, order.lost_at], ['lost', 'confirming', 1]);
    assert.notEqual(order.next_check_at, null);
  });

  it('keeps a lost and then refused order confirming until a query does not find it', () => {
    const refusedAfterLost = applyAll([{ type: 'pay_refused', at: 100_001 }], rules, {
      ...applyAll([{ type: 'pay_lost', at: 1 }]),
      sending: 'claimed',
    });
    assert.equal(
      applyAll([{ type: 'query_missed', at: 100_002 }], rules, refusedAfterLost).outcome,
      'confirming',
    );
    assert.equal(
      applyAll([{ type: 'query_not_found', at: 100_002 }], rules, refusedAfterLost).outcome,
      'failed',
    );
  });

  it('ignores the answer to an outdated query, unless it says paid', () => {
    const known = applyAll([answered(), queried({ status: 30 })]);
    const old = (status: number): OrderRow =>
      transition(
        known,
        { type: 'query_answered', at: 600, knownAt: 100, answer: { status } },
        rules,
      ).order;
    assert.equal(old(11).outcome, 'failed');
    assert.equal(old(20).outcome, 'succeeded');
    const paidOrder = applyAll([answered(), queried({ status: 20 })]);
    const outdated: TestEvent = {
      type: 'query_answered',
      at: 600,
      knownAt: 100,
      answer: { status: 11 },
    };
    assert.equal(transition(paidOrder, outdated, rules).order.review_reason, null);
  });

  it('leaves an order unsent, with nothing to do, when its first request was not sent', () => {
    const { effects, order } = transition(fresh, { type: 'pay_unsent', at: 5 }, rules);
    assert.deepEqual([order.sending, order.next_check_at, effects], ['unsent', null, []]);
    assert.deepEqual(
      transition(applyAll([lost]), { type: 'pay_unsent', at: 5 }, rules).effects,
      [],
    );
  });

  it('queries and sends nothing after an answer, a missed query or a resolution', () => {
    const inReview = applyAll([answered({ currency: 'EUR' })]);
    for (const [order, event] of [
      [fresh, answered()],
      [applyAll([answered()]), queried()],
      [applyAll([refused]), { type: 'query_not_found', at: 2 }],
      [applyAll([refused]), { type: 'query_missed', at: 2 }],
      [applyAll([answered()]), { type: 'query_missed', at: 2 }],
      [inReview, { type: 'resolved', at: 2, as: 'failed' }],
    ] as const)
      assert.deepEqual(transition(order, event, { ...rules, resendAfterS: 0 }).effects, []);
  });

  it('ignores the result of a claim that was answered meanwhile', () => {
    const known = { ...applyAll([answered()]), version: 7 };
    const { order } = transition(known, { type: 'pay_refused', at: 5, claim: 7 }, rules);
    assert.equal(order.sending, 'answered');
  });

  it('applies a result that names no claim to the present claim', () => {
    const { order } = transition(fresh, { type: 'pay_lost', at: 5, claim: undefined }, rules);
    assert.equal(order.sending, 'lost');
  });

  it('schedules the next check by the age of the order', () => {
    const month = 30 * 86_400_000;
    const event: TestEvent = { ...queried({ status: 11 }), at: month, ageMs: 300_000 };
    const { order } = transition(applyAll([answered()]), event, rules);
    assert.equal(order.next_check_at, month + 5000);
  });

  it('keeps the end of a claim when an answer does not prove that it is about the order', () => {
    const { order } = transition(fresh, queried({ status: 11 }), rules);
    assert.deepEqual([order.sending, order.next_check_at], ['claimed', fresh.next_check_at]);
  });

  it('changes nothing of a paid order when an outdated answer also says paid', () => {
    const paid = applyAll([answered(), queried({ status: 20 })]);
    const old: TestEvent = { ...queried({ status: 20 }), at: 900, knownAt: 100 } as TestEvent;
    assert.equal(transition(paid, old, rules).order.checked_at, paid.checked_at);
  });

  it('resends no order that the service has found', () => {
    const found: OrderRow = { ...applyAll([answered()]), lost_at: 1 };
    const event: TestEvent = { type: 'query_not_found', at: 9_000_000 };
    assert.deepEqual(transition(found, event, { ...rules, resendAfterS: 1 }).effects, []);
  });

  describe('that is paid', () => {
    const paid = applyAll([answered(), queried({ ...echoes, status: 20 })]);
    const result = (event: TestEvent): unknown[] => {
      const { order } = transition(paid, event, rules);
      return [order.outcome, order.review_reason, order.sending, order.next_check_at];
    };
    it('keeps an order paid, and starts a review, when a later status contradicts it', () =>
      assert.deepEqual(result(queried({ status: 30 })), [
        'succeeded',
        'status_after_success',
        'answered',
        null,
      ]));
    it('keeps the status that contradicts, and starts no second review for the same one', () => {
      const reversed = applyAll([queried({ status: 30 })], rules, paid);
      assert.equal(reversed.status, 30);
      const ended = applyAll([{ type: 'resolved', at: 300, as: 'succeeded' }], rules, reversed);
      assert.equal(applyAll([queried({ status: 30 })], rules, ended).review_reason, null);
      assert.equal(
        applyAll([queried({ status: 60 })], rules, ended).review_reason,
        'status_after_success',
      );
    });
    it('keeps its status when an answer is about another order', () => {
      const another = applyAll([queried({ status: 30, request_id: 'r9' })], rules, paid);
      assert.equal(another.status, 20);
    });
    it('starts no review of a paid order for the same status, another paid one, or a pay', () => {
      const unreviewed = ['succeeded', null, 'answered', null];
      assert.deepEqual(result(queried({ status: 20 })), unreviewed);
      assert.deepEqual(result(answered({ status: 30 })), unreviewed);
      const using = { ...rules, statuses: { ...rules.statuses, '21': 'succeeded' as const } };
      const { order } = transition(paid, queried({ status: 21 }), using);
      assert.equal(order.review_reason, null);
    });
  });

  it('starts a review when the status table says so', () => {
    const using = { ...rules, statuses: { ...rules.statuses, '50': 'review' as const } };
    for (const events of [[answered({ status: 11 }), queried({ status: 50 })]])
      assert.equal(applyAll(events, using).review_reason, 'by_table');
  });

  it('keeps the resolution “failed” when an answer has all echoes but is not paid', () => {
    const inReview = applyAll([answered(), queried({ order_amount: '1' })]);
    const failed = applyAll([{ type: 'resolved', at: 300, as: 'failed' }], rules, inReview);
    assert.equal(applyAll([queried({ ...echoes, status: 99 })], rules, failed).outcome, 'failed');
  });

  it('accepts an answer about the order when only one side has an order_no', () => {
    const unnumbered = applyAll([answered()]);
    assert.equal(applyAll([queried({ order_no: 'P1' })], rules, unnumbered).outcome, 'pending');
    const numbered = applyAll([answered({ order_no: 'P1' })]);
    assert.equal(applyAll([queried()], rules, numbered).outcome, 'pending');
  });

  it('marks an order as paid when a query proves it while its request is under way', () => {
    assert.equal(applyAll([queried({ ...echoes, status: 20 })]).outcome, 'succeeded');
    const late = [refused, answered({ status: 20 })];
    assert.equal(applyAll(late).outcome, 'succeeded');
  });

  it('keeps a lost and refused order confirming when a query lacks an echo', () => {
    const again: OrderRow = { ...applyAll([lost]), sending: 'refused' };
    assert.equal(applyAll([queried({ request_id: 'r1' })], rules, again).outcome, 'confirming');
  });

  it('starts a review when a later pay says paid without all echoes', () => {
    const unproven = answered({ status: 20, currency: undefined });
    assert.equal(applyAll([answered(), unproven]).review_reason, 'paid_before_answer');
  });

  it('starts a review when a link is longer than the contract allows', () => {
    for (const name of ['qrcode_string', 'checkout_url', 'wallet_url'] as const) {
      const order = applyAll([
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
  const event: fc.Arbitrary<TestEvent> = fc
    .tuple(
      fc.constantFrom(
        'pay_unsent',
        'pay_lost',
        'pay_refused',
        'pay_answered',
        'query_answered',
        'query_not_found',
        'query_missed',
        'signalled',
      ),
      answer,
      fc.nat(1e9),
    )
    .map(([type, answer, at]) =>
      type === 'pay_answered' || type === 'query_answered' ? { type, at, answer } : { type, at },
    );
  it('marks an order as paid only by the status table and equal echoes, in any history', () => {
    let succeeded = 0;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        let order = fresh;
        for (const next of events) {
          const after = transition(order, next, rules).order;
          // a change of the claim gives the order another version, which ends the claim
          if (order.sending === 'claimed' && after.sending === 'claimed')
            assert.equal(after.version, order.version);
          else if (JSON.stringify(after) !== JSON.stringify(order))
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
