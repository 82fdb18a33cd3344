/** Each invariant fails on the facts that violate it, and on no others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BookOrder } from '../service/book.js';
import { EPOCH } from '../time/virtual-globals.js';
import { createChecker } from './checker.js';
import type { InvariantName } from './invariant.js';
import { createDisturbances, type Disturbances } from './disturbances.js';
import type { Fact, PageOrder, Purchase, ShopOrder, ShownIntent } from './facts.js';

const purchase: Purchase = {
  id: 'c1',
  shop: 'leaf',
  mode: 'token',
  beganAt: 0,
  attempt: 'a',
  token: 't',
  amount: '5.00',
  currency: 'USD',
  productName: 'Order of c1',
  customerRefId: 'c1',
  sku: null,
  quantity: null,
  metadata: { cart: '7' },
  intentId: 'intent-1',
  shown: new Set(),
  touched: new Set(),
};
const order = (change: Partial<BookOrder> = {}): BookOrder => ({
  kind: 'payment',
  orderNo: 'N000001',
  requestId: 'r1',
  shop: 'leaf',
  customerRefId: 'c1',
  productName: 'Order of c1',
  amount: '5.00',
  currency: 'USD',
  channel: 'qr',
  notifyUrl: null,
  receivedAt: 0,
  expiresAt: null,
  traits: { echo: 'full', status: 'plain', link: 'one', expiry: 'never' },
  refused: false,
  status: 11,
  before: { status: 11, changedAt: 0 },
  paidAt: null,
  paidAnswerAt: null,
  uselessAnswers: 0,
  lies: 0,
  echoed: { amounts: new Set(['5.00']), currencies: new Set(['USD']) },
  statuses: new Set([11, 20]),
  touched: new Set(),
  ...change,
});
const paid = order({ status: 20, paidAt: 1000, paidAnswerAt: 2000 });
const told = (change: Partial<ShopOrder> = {}): ShopOrder => ({
  intent_id: 'intent-1',
  request_id: 'r1',
  outcome: 'pending',
  mode: 'token',
  amount: '5',
  currency: 'USD',
  product_name: 'Order of c1',
  customer_ref_id: 'c1',
  metadata: { cart: '7' },
  ...change,
});
type ReportData = ShopOrder & { resume_url: string };
const event = (type: string, change: Partial<ReportData> = {}, id = 'e1', sequence = 1): Fact => ({
  kind: 'delivery',
  shop: 'leaf',
  delivery: {
    id,
    type,
    data: { ...told(change), sequence, epoch: 'x' },
    timestamp: instant(3000),
    at: 3000,
    answered: 'ok',
  },
});
const page = (change: Partial<PageOrder> = {}): Fact => ({
  kind: 'page_told',
  askedAt: 10_000,
  purchase,
  order: {
    intent_id: 'intent-1',
    request_id: 'r1',
    order_key: 'k',
    amount: '5.00',
    currency: 'USD',
    status: 11,
    outcome: 'pending',
    next_action: { kind: 'scan_qr', qrcode_string: 'code:N000001:r1' },
    server_time: instant(9000),
    ...change,
  },
});
const instant = (ms: number): string => new Date(EPOCH + ms).toISOString();
const bought: Fact = { kind: 'purchase', purchase };
const received = (bookOrder: BookOrder): Fact => ({ kind: 'received', order: bookOrder });
const backendToldOf = (change: Partial<ShopOrder>): Fact => ({
  kind: 'backend_told',
  shop: 'leaf',
  askedAt: 10_000,
  order: told(change),
});
const backendTold = (outcome: string): Fact => backendToldOf({ outcome });
const refusedAt = (at: number): Fact => ({
  kind: 'delivery',
  shop: 'leaf',
  delivery: {
    id: 'e1',
    type: 'order.created',
    data: { ...told(), sequence: 1, epoch: 'x' },
    timestamp: instant(3000),
    at,
    answered: 'refused',
  },
});
const success = event('order.succeeded', { outcome: 'succeeded' });
const takenBefore = (at: number): Fact =>
  success.kind === 'delivery' ? { ...success, delivery: { ...success.delivery, at } } : success;
const review = event('order.review', { outcome: 'review' });

const restored: Fact = { kind: 'restored', shop: 'leaf', lost: ['r1'], backupAt: 0 };
const closing: Fact = { kind: 'closing', shop: 'leaf', intentId: 'intent-1' };
const closed: Fact = { kind: 'closed', shop: 'leaf', intentId: 'intent-1' };
const balance = (toPack: readonly [string, string][]): Fact => ({
  kind: 'balance',
  shop: 'leaf',
  toPack: new Map(toPack),
  refunds: new Map(),
  orders: new Map([['r1', told({ outcome: 'succeeded' })]]),
});
const listed = (): Fact => ({
  kind: 'listed',
  shop: 'leaf',
  askedAt: 10_000,
  walk: 0,
  cursorFrom: 1000,
  isReset: false,
  events: [
    {
      id: 'e1',
      type: 'order.created',
      data: { ...told(), sequence: 1, epoch: 'x' },
      timestamp: instant(3000),
    },
  ],
});

type Entry = ShownIntent['timeline'][number];
const looked = (...entries: readonly Omit<Entry, 'source'>[]): Fact => ({
  kind: 'looked_at',
  shop: 'leaf',
  intentId: 'intent-1',
  shown: {
    orders: [{ request_id: 'r1' }],
    timeline: entries.map((entry) => ({ source: 'relay', request_id: 'r1', ...entry })),
  },
});
const claim = { what: 'claimed' };
const delivered = { what: 'delivered', event_id: 'e1' };

const FOLLOW_MS = 86_400_000;

/** Tells the facts, the last one an hour later, and returns the violated invariant. */
function judge(
  facts: readonly Fact[],
  {
    disturb,
    unpaidAfterMs = null,
  }: { disturb?: (disturbances: Disturbances) => void; unpaidAfterMs?: number | null } = {},
) {
  let now = 3000;
  const disturbances = createDisturbances();
  disturb?.(disturbances);
  const checker = createChecker(
    () => now,
    disturbances,
    { followMs: FOLLOW_MS, unpaidAfterMs },
    () => {},
  );
  for (const fact of facts) {
    checker.tell(fact);
    now++;
  }
  now += 3_600_000;
  checker.end();
  return checker.violation()?.invariant ?? null;
}

describe('the checker', () => {
  const cases: readonly [string, InvariantName | null, readonly Fact[]][] = [
    [
      'accepts an order that is paid, told and found',
      null,
      [bought, received(paid), page(), success, backendTold('succeeded')],
    ],
    [
      'sees a pay that was sent twice',
      'pay is sent once',
      [bought, received(order()), received(order()), backendTold('pending')],
    ],
    [
      'sees a second order that nobody asked for',
      'pay is sent once',
      [bought, received(order()), received(order({ requestId: 'r2' }))],
    ],
    ['sees an order that the shop cannot find', 'no order is lost', [bought, received(order())]],
    [
      'accepts that a shop cannot find an unpaid order that no page showed and a restore lost',
      null,
      [bought, received(order()), restored],
    ],
    [
      'sees an order that a page showed, and that a restore lost',
      'no order is lost',
      [bought, received(order()), page(), restored],
    ],
    [
      'sees a paid order that a restore lost',
      'no order is lost',
      [bought, received(paid), restored],
    ],
    [
      'accepts metadata whose keys come in another sequence',
      null,
      [
        { kind: 'purchase', purchase: { ...purchase, metadata: { a: '1', b: '2' } } },
        event('order.created', { metadata: { b: '2', a: '1' } }),
      ],
    ],
    [
      'accepts a timeline with each claim, status and delivery',
      null,
      [
        bought,
        received(paid),
        success,
        backendTold('succeeded'),
        looked(claim, { what: 'status', status: 20, outcome: 'succeeded' }, delivered),
      ],
    ],
    [
      'sees a pay whose claim is not in the timeline',
      'timeline is true',
      [bought, received(order()), looked(), backendTold('pending')],
    ],
    [
      'accepts that a restored ledger lacks a claim',
      null,
      [bought, received(order()), page(), restored, looked(), backendTold('pending')],
    ],
    [
      'sees a status in the timeline that the service never told',
      'timeline is true',
      [bought, received(order()), looked(claim, { what: 'status', status: 40 })],
    ],
    [
      'sees a delivery in the timeline that nobody took',
      'timeline is true',
      [bought, received(order()), refusedAt(4000), looked(claim, delivered)],
    ],
    [
      'sees a delivery that is not in the timeline',
      'timeline is true',
      [bought, received(paid), takenBefore(-5000), looked(claim)],
    ],
    [
      'accepts a delivery that is being written down',
      null,
      [bought, received(paid), success, looked(claim), backendTold('succeeded')],
    ],
    [
      'sees a decision in the timeline that nobody made',
      'timeline is true',
      [bought, received(order()), looked(claim, { what: 'resolved', outcome: 'failed' })],
    ],
    [
      'sees more signals in the timeline than the service sent',
      'timeline is true',
      [
        bought,
        received(order()),
        { kind: 'signalled', requestId: 'r1' },
        looked(claim, { what: 'signals', signals: 2 }),
      ],
    ],
    [
      'sees a close that is not in the timeline',
      'timeline is true',
      [bought, closing, closed, looked()],
    ],
    [
      'sees other metadata in an event',
      'told as asked',
      [bought, received(order()), event('order.created', { metadata: { cart: '8' } })],
    ],
    [
      'sees an event without the metadata of its intent',
      'told as asked',
      [bought, received(order()), event('order.created', { metadata: undefined })],
    ],
    [
      'sees metadata that a page or the service was told',
      'told as asked',
      [bought, { kind: 'metadata_leaked', to: 'the service' }],
    ],
    [
      'accepts an amount and a currency that the service told',
      null,
      [
        bought,
        received(paid),
        event('order.succeeded', {
          outcome: 'succeeded',
          echoed_amount: '5',
          echoed_currency: 'USD',
        }),
        backendTold('succeeded'),
      ],
    ],
    [
      'sees an amount that the service never told',
      'told as asked',
      [bought, received(order()), event('order.created', { echoed_amount: '6.00' })],
    ],
    [
      'sees a currency that the service never told',
      'told as asked',
      [bought, received(order()), event('order.created', { echoed_currency: 'EUR' })],
    ],
    [
      'sees another price in an event',
      'told as asked',
      [bought, received(order()), event('order.created', { amount: '6' })],
    ],
    [
      'sees a page with the order of another customer',
      'told as asked',
      [bought, received(order({ customerRefId: 'c1' })), page({ intent_id: 'intent-2' })],
    ],
    [
      'sees a success that nobody paid',
      'success is told',
      [bought, received(order()), success, backendTold('succeeded')],
    ],
    [
      'sees a success that is told by two events',
      'success is told',
      [
        bought,
        received(paid),
        success,
        event('order.succeeded', { outcome: 'succeeded' }, 'e2', 2),
      ],
    ],
    [
      'sees two events with the same sequence number',
      'success is told',
      [bought, received(order()), event('order.created'), event('order.failed', {}, 'e2')],
    ],
    [
      'sees a payment that nobody told',
      'success is told',
      [bought, received(paid), backendTold('succeeded')],
    ],
    [
      'sees an order in review with a code',
      'nothing wrong is payable',
      [bought, received(order()), page({ outcome: 'review' })],
    ],
    [
      'sees a code after the success',
      'nothing wrong is payable',
      [bought, received(paid), success, page()],
    ],
    [
      'sees a code of another order',
      'nothing wrong is payable',
      [
        bought,
        received(order()),
        page({ next_action: { kind: 'scan_qr', qrcode_string: 'code:N000002:r2' } }),
      ],
    ],
    [
      'sees a code that the service no longer takes',
      'nothing wrong is payable',
      [bought, received(order({ expiresAt: 9000 })), page()],
    ],
    [
      'accepts a code that the page hides because it has expired',
      null,
      [
        bought,
        received(order({ expiresAt: 9000 })),
        page({ expires_at: instant(8000) }),
        backendTold('pending'),
      ],
    ],
    [
      'accepts a code from the moment before it expired',
      null,
      [bought, received(order({ expiresAt: 10_000 })), page(), backendTold('pending')],
    ],
    [
      'sees a review that ends although nobody decided',
      'decision stands',
      [bought, received(paid), review, backendTold('succeeded')],
    ],
    [
      'accepts the effect of a decision whose command has not ended',
      null,
      [
        bought,
        received(order()),
        review,
        { kind: 'begins_to_decide', requestId: 'r1', as: 'failed' },
        backendTold('failed'),
      ],
    ],
    [
      'sees an outcome that differs from the decision while its command has not ended',
      'decision stands',
      [
        bought,
        received(paid),
        review,
        { kind: 'begins_to_decide', requestId: 'r1', as: 'succeeded' },
        backendTold('failed'),
      ],
    ],
    [
      'accepts a success when a paid order was decided as failed and the command has not ended',
      null,
      [
        bought,
        received(paid),
        review,
        { kind: 'begins_to_decide', requestId: 'r1', as: 'failed' },
        event('order.succeeded', { outcome: 'succeeded' }, 'e2', 2),
        backendTold('succeeded'),
      ],
    ],
    [
      'sees a decision that is undone',
      'decision stands',
      [
        bought,
        received(order()),
        review,
        { kind: 'decided', shop: 'leaf', requestId: 'r1', as: 'failed' },
        backendTold('pending'),
      ],
    ],
    [
      'accepts an answer from before the review when the answer comes after the review',
      null,
      [
        bought,
        received(order()),
        review,
        { kind: 'backend_told', shop: 'leaf', askedAt: 2000, order: told() },
      ],
    ],
    [
      'accepts an answer from before the decision when the answer comes after the decision',
      null,
      [
        bought,
        received(order()),
        review,
        { kind: 'decided', shop: 'leaf', requestId: 'r1', as: 'failed' },
        { kind: 'backend_told', shop: 'leaf', askedAt: 2000, order: told({ outcome: 'review' }) },
      ],
    ],
    [
      'accepts a payment of a closed intent that is told as late',
      null,
      [
        bought,
        received(paid),
        closing,
        closed,
        event('order.late_payment', { outcome: 'succeeded' }),
        {
          kind: 'backend_told',
          shop: 'leaf',
          askedAt: 10_000,
          order: told({ outcome: 'succeeded', closed_at: 'then', late_payment: true }),
        },
      ],
    ],
    [
      'sees a success of a closed intent',
      'closed stays closed',
      [bought, received(paid), closing, closed, success],
    ],
    [
      'sees a code of a closed intent',
      'closed stays closed',
      [bought, received(order()), closing, closed, page()],
    ],
    [
      'sees an order of a closed intent',
      'closed stays closed',
      [bought, closing, closed, received(order({ receivedAt: 60_000 })), backendTold('pending')],
    ],
    [
      'sees a closed intent that a shop would deliver',
      'closed stays closed',
      [
        bought,
        received(order()),
        closing,
        closed,
        {
          kind: 'expected',
          shop: 'leaf',
          intentId: 'intent-1',
          askedAt: 10_000,
          wasToldClosed: false,
        },
      ],
    ],
    [
      'sees a late payment of an intent that nobody closed',
      'closed stays closed',
      [
        bought,
        received(paid),
        event('order.late_payment', { outcome: 'succeeded' }),
        backendTold('succeeded'),
      ],
    ],
    [
      'accepts a shop that handled every payment once',
      null,
      [bought, received(paid), success, backendTold('succeeded'), balance([['intent-1', 'r1']])],
    ],
    [
      'sees a payment that a shop did not handle',
      'shop catches up',
      [bought, received(paid), success, backendTold('succeeded'), balance([])],
    ],
    [
      'sees an event that was listed twice',
      'shop catches up',
      [bought, received(order()), backendTold('pending'), listed(), listed()],
    ],
    [
      'sees a list that goes on from an old cursor after a restore',
      'shop catches up',
      [
        bought,
        received(order()),
        backendTold('pending'),
        { kind: 'restored', shop: 'leaf', lost: [], backupAt: 0 },
        listed(),
      ],
    ],
    [
      'sees an event that does not come again when its shop asks for it',
      'nobody waits',
      [
        bought,
        received(order()),
        backendTold('pending'),
        { kind: 'resent', shop: 'leaf', eventId: 'e1', askedAt: 3000, isSure: false },
        { kind: 'resent', shop: 'leaf', eventId: 'e1', askedAt: 3000, isSure: true },
      ],
    ],
    [
      'sees a try of an event that comes later than its pause',
      'nobody waits',
      [bought, received(order()), backendTold('pending'), refusedAt(3000), refusedAt(303_000)],
    ],
    [
      'expects no number of tries of an event after a resend that nobody answered',
      null,
      [
        bought,
        received(order()),
        backendTold('pending'),
        refusedAt(3000),
        refusedAt(8000),
        { kind: 'resent', shop: 'leaf', eventId: null, askedAt: 9000, isSure: false },
        refusedAt(308_000),
        refusedAt(2_108_000),
      ],
    ],
    [
      'sees a call that is not answered',
      'nobody waits',
      [bought, { kind: 'call', purchase, what: 'pay', beganAt: 0, endedAt: 100_000 }],
    ],
  ];
  for (const [title, invariant, facts] of cases)
    it(title, () => assert.equal(judge(facts), invariant));

  it('excuses a payment after the last query, which comes sooner when a clock stepped', () => {
    const paidLate = { ...paid, paidAt: paid.receivedAt + 0.85 * FOLLOW_MS };
    const facts = [bought, received(paidLate), page(), backendTold('pending')];
    const stepped: Fact = { kind: 'clock_stepped', shop: 'leaf', at: 2000 };
    assert.equal(judge([...facts, stepped]), null);
    assert.equal(judge([...facts, { ...stepped, shop: 'bean' }]), 'no order is lost');
  });

  it('excuses a delay while the relays are down', () => {
    const late: Fact = { kind: 'call', purchase, what: 'pay', beganAt: 0, endedAt: 100_000 };
    assert.equal(
      judge([bought, late], {
        disturb: (disturbances) => disturbances.begin('leaf', 10_000).end(90_000),
      }),
      null,
    );
  });
});

describe('the checker of reports of unpaid intents', () => {
  const link = { resume_url: 'https://leaf.example/pay/r#r1~key' };
  /** The report comes a second after it is due. */
  const afterMs = 2000;
  const report = (change: Partial<ReportData> = {}, id = 'e2', sequence = 2): Fact =>
    event('order.unpaid', { ...link, ...change }, id, sequence);
  const created = event('order.created');
  const cases: readonly [string, InvariantName | null, readonly Fact[]][] = [
    [
      'accepts one report of an unpaid intent',
      null,
      [bought, received(order()), created, report(), backendTold('pending')],
    ],
    [
      'sees an unpaid intent that was never reported',
      'unpaid is told once',
      [bought, received(order()), created, backendTold('pending')],
    ],
    [
      'expects no report of an intent that the shop closed',
      null,
      [bought, received(order()), created, backendToldOf({ closed_at: 'then' })],
    ],
    [
      'accepts a report from before the shop closed the intent',
      null,
      [bought, received(order()), created, report(), backendToldOf({ closed_at: instant(3000) })],
    ],
    [
      'sees a report of an intent that the shop closed before',
      'unpaid is told once',
      [
        bought,
        received(order()),
        created,
        report(),
        backendToldOf({ closed_at: instant(-20_000) }),
      ],
    ],
    [
      'expects no report of an order whose payment is in dispute',
      null,
      [
        bought,
        received(order()),
        created,
        backendToldOf({ outcome: 'failed', review_reason: 'paid_before_answer' }),
      ],
    ],
    [
      'sees two reports of one intent',
      'unpaid is told once',
      [bought, received(order()), created, report(), report({}, 'e3', 3), backendTold('pending')],
    ],
    [
      'sees a report after the payment was told',
      'unpaid is told once',
      [bought, received(paid), success, report(), backendTold('succeeded')],
    ],
    [
      'sees a report while the order is in review',
      'unpaid is told once',
      [bought, received(order()), review, report(), backendTold('review')],
    ],
    [
      'sees a report about an order that may be paid',
      'unpaid is told once',
      [bought, received(order()), created, report({ outcome: 'confirming' })],
    ],
    [
      'sees a report whose link leads to another order',
      'unpaid is told once',
      [bought, received(order()), created, report({ resume_url: '/r#r2~key' })],
    ],
    [
      'sees a report from long after the payment, for which nobody asked the service',
      'unpaid is told once',
      [
        { kind: 'purchase', purchase: { ...purchase, beganAt: -90_000_000 } },
        received(order({ receivedAt: -90_000_000, paidAt: -400_000 })),
        report({}, 'e1', 1),
        event('order.succeeded', { outcome: 'succeeded' }, 'e2', 2),
        backendTold('succeeded'),
      ],
    ],
  ];
  for (const [title, invariant, facts] of cases)
    it(title, () => assert.equal(judge(facts, { unpaidAfterMs: afterMs }), invariant));

  it('sees a report that comes before its time', () => {
    const facts = [bought, received(order()), report(), backendTold('pending')];
    assert.equal(judge(facts, { unpaidAfterMs: 4000 }), 'unpaid is told once');
  });

  it('sees a report that no shop wants', () =>
    assert.equal(judge([bought, received(order()), report()]), 'unpaid is told once'));

  it('sees a missing report ten minutes late, and twenty after a step of a clock', () => {
    const steps: Fact = { kind: 'clock_stepped', shop: 'leaf', at: 0 };
    const facts = [bought, received(order()), created, backendTold('pending')];
    const judgeAfter = (minutes: number, given: readonly Fact[]) =>
      judge(given, {
        unpaidAfterMs: afterMs,
        disturb: (disturbances) => disturbances.begin('leaf', minutes * 60_000).end(1e9),
      });
    assert.equal(judgeAfter(15, facts), 'unpaid is told once');
    assert.equal(judgeAfter(15, [steps, ...facts]), null);
    assert.equal(judgeAfter(25, [steps, ...facts]), 'unpaid is told once');
    assert.equal(judgeAfter(25, [restored, ...facts]), null);
  });

  it('expects no report while the relays were down', () => {
    const facts = [bought, received(order()), created, backendTold('pending')];
    const disturb = (disturbances: Disturbances) => disturbances.begin('leaf', 0).end(1e9);
    assert.equal(judge(facts, { unpaidAfterMs: afterMs, disturb }), null);
  });
});

describe('disturbances', () => {
  it('counts overlapping disturbances once', () => {
    const disturbances = createDisturbances();
    disturbances.begin('leaf', 10).end(30);
    disturbances.begin('leaf', 20).end(40);
    disturbances.begin('bean', 0).end(100);
    assert.equal(disturbances.undisturbedMs('leaf', 0, 50), 20);
    assert.equal(disturbances.undisturbedMs('leaf', 25, 35), 0);
  });
});
