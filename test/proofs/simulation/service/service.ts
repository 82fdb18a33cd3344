/** The order service: it keeps the book, answers pays and queries, and signals changes. */
import { z } from 'zod';
import type { Chance, Random } from '../chance.js';
import type { FaultName } from '../faults/names.js';
import type { History } from '../history.js';
import type { Scheduler } from '../time/scheduler.js';
import { envelope, orderAnswer, payAnswer, refusal, type Reply } from './answers.js';
import { CODE_EXPIRES_AFTER_S, METADATA_MARK } from '../machine/shop-config.js';
import { createBook, type Book, type BookOrder } from './book.js';
import { drawTraits, faultsOfTraits, type PayQuirk, type QueryQuirk } from './quirks.js';
import { STATUS } from './statuses.js';

const payBody = z.object({
  request_id: z.string(),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  notify_url: z.string().optional(),
  payment_channel: z.string().optional(),
  payment_method: z.string(),
});
const queryBody = z.object({ request_id: z.string() });

export type Service = {
  readonly book: Book;
  /** The stream of random numbers for the calls about one request_id. */
  streamOf(requestId: string): Random;
  receivePay(shop: string, json: string, quirk: PayQuirk): Reply;
  receiveQuery(json: string, quirk: QueryQuirk): Reply;
  /** Counts a query about an order that never reached the service. */
  missQuestion(requestId: string): void;
  /** Whether the service still takes a payment of this order. */
  takesPayment(order: BookOrder): boolean;
  /** Changes the status of an order, as the customer's bank reports it: paid or declined. */
  change(order: BookOrder, status: number): void;
  /** Adds an order or a payout of another shop of the same partner. */
  addForeign(): void;
};

export type ServiceDeps = {
  scheduler: Scheduler;
  chance: Chance;
  history: History;
  onReceived: (order: BookOrder) => void;
  onPaid: (order: BookOrder) => void;
  /** A pay holds metadata, which is for the shop alone. */
  onMetadata: () => void;
  /** Calls the order's notify_url. */
  signal: (requestId: string, url: string) => void;
};

export function createService(deps: ServiceDeps): Service {
  const { chance, history, scheduler } = deps;
  const book = createBook();
  const streams = new Map<string, Random>();
  let numbered = 0;

  const streamOf = (requestId: string): Random => {
    const known = streams.get(requestId) ?? chance('service', requestId);
    streams.set(requestId, known);
    return known;
  };

  const make = (
    shop: string | null,
    body: z.infer<typeof payBody>,
    random: Random,
    { kind = 'payment', refused = false }: Partial<Pick<BookOrder, 'kind' | 'refused'>> = {},
  ): BookOrder => {
    const traits = drawTraits(random);
    const touched = new Set<FaultName>(shop === null ? [] : faultsOfTraits(traits));
    const first = traits.status === 'odd_first' ? STATUS.otherCreated : STATUS.created;
    const channel = body.payment_channel ?? body.payment_method;
    const expires = shop !== null && channel === 'qr' && traits.expiry !== 'never';
    const order: BookOrder = {
      kind,
      orderNo: `N${String(++numbered).padStart(6, '0')}`,
      requestId: body.request_id,
      shop,
      customerRefId: body.customer_ref_id,
      productName: body.product_name,
      amount: body.amount,
      currency: body.currency,
      channel,
      notifyUrl: body.notify_url ?? null,
      receivedAt: scheduler.now(),
      expiresAt: expires ? scheduler.now() + CODE_EXPIRES_AFTER_S * 1000 : null,
      traits,
      refused,
      status: first,
      before: { status: first, changedAt: scheduler.now() },
      paidAt: null,
      paidAnswerAt: null,
      uselessAnswers: 0,
      lies: 0,
      echoed: { amounts: new Set(), currencies: new Set() },
      statuses: new Set(),
      touched,
    };
    book.add(order);
    if (expires) scheduler.after(CODE_EXPIRES_AFTER_S * 1000, () => expire(order));
    return order;
  };

  const change = (order: BookOrder, status: number): void => {
    if (order.status === status) return;
    order.before = { status: order.status, changedAt: scheduler.now() };
    order.status = status;
    history.write('service', `${order.orderNo} ${order.requestId} becomes ${status}`);
    if (status === STATUS.paid && order.paidAt === null) {
      order.paidAt = scheduler.now();
      deps.onPaid(order);
    }
    sendSignals(order);
  };

  const expire = (order: BookOrder): void => {
    if (order.status === STATUS.paid) return;
    order.touched.add('code_expired');
    if (order.traits.expiry !== 'silent') change(order, STATUS.expired);
  };

  const sendSignals = (order: BookOrder): void => {
    const { notifyUrl } = order;
    if (notifyUrl === null) return;
    const random = streamOf(order.requestId);
    const count = random.weighted({ none: 3, one: 5, two: 2 });
    if (count === 'none') order.touched.add('signals_lost');
    for (let left = { none: 0, one: 1, two: 2 }[count]; left > 0; left--)
      scheduler.after(random.wait(800), () => deps.signal(order.requestId, notifyUrl));
  };

  return {
    book,
    streamOf,
    change,
    takesPayment: ({ expiresAt, traits }) =>
      expiresAt === null || scheduler.now() < expiresAt || traits.expiry === 'takes_later',
    receivePay: (shop, json, quirk) => {
      const body = payBody.parse(JSON.parse(json));
      if (json.includes(METADATA_MARK)) deps.onMetadata();
      const random = streamOf(body.request_id);
      if (quirk === 'rate_limited') return { status: 429, text: refusal(4290, 'too many') };
      if (quirk === 'refused') return { status: 200, text: refusal(5001, 'not today') };
      const order = make(shop, body, random, { refused: quirk === 'refused_but_made' });
      history.write('service', `receives ${order.requestId} as ${order.orderNo} (${quirk})`);
      deps.onReceived(order);
      if (quirk === 'refused_but_made') return { status: 200, text: refusal(5001, 'or maybe') };
      if (quirk === 'broken_json') return { status: 200, text: '{"code": 200, "da' };
      if (quirk === 'server_error') return { status: 502, text: '<html>bad gateway</html>' };
      if (order.traits.status === 'paid_at_once') change(order, STATUS.paid);
      if (quirk === 'none') order.paidAnswerAt = order.paidAt;
      return { status: 200, text: envelope(payAnswer(order, random, book)) };
    },
    missQuestion: (requestId) => {
      for (const order of book.byRequest(requestId))
        if (order.paidAt !== null) order.uselessAnswers++;
    },
    receiveQuery: (json, quirk) => {
      const { request_id } = queryBody.parse(JSON.parse(json));
      const order = book.byRequest(request_id).at(-1);
      const useless = (text: string, status = 200): Reply => {
        if (order?.paidAt != null) order.uselessAnswers++;
        return { status, text };
      };
      if (quirk === 'rate_limited') return useless(refusal(4290, 'too many'), 429);
      if (quirk === 'server_error') return useless(refusal(5000, 'oops'), 500);
      if (!order || quirk === 'not_found') return useless(refusal(4040, 'no such order'));
      const random = streamOf(request_id);
      const { answer, told } = orderAnswer(order, random, book, {
        stale: quirk === 'stale',
        now: scheduler.now(),
      });
      const arrives = quirk === 'none' || quirk === 'stale';
      if (order.paidAt !== null && told === 'paid' && arrives)
        order.paidAnswerAt ??= scheduler.now();
      else if (order.paidAt !== null) order.uselessAnswers++;
      return { status: 200, text: envelope(answer) };
    },
    addForeign: () => {
      const random = chance('foreign', numbered);
      const isPayout = random.chance(0.4);
      const order = make(
        null,
        {
          request_id: `${isPayout ? 'payout' : 'other-shop'}-${numbered}`,
          amount: random.pick(['12.50', '19.90', '7.00', '250.00']),
          currency: random.pick(['USD', 'EUR']),
          product_name: isPayout ? 'a payout' : 'another shop’s product',
          customer_ref_id: `other-${random.whole(100)}`,
          payment_method: 'on_line',
        },
        random,
        { kind: isPayout ? 'payout' : 'payment' },
      );
      order.status = random.chance(0.7) ? STATUS.paid : STATUS.created;
    },
  };
}
