/**
 * The rules of placing: one intent has one current order, and each order is sent once, whatever the
 * customer and the service do.
 */
import { expect } from '@open-wc/testing';
import { faults, type FaultName } from '../../../../relay/sandbox/faults.js';
import { systemClock } from '../../../../relay/runtime.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import {
  bearer,
  createWorld,
  identityOn,
  openIntent,
  stillClock,
  testConfig,
  until,
  type World,
} from '../../support/world.js';
import { findOrder } from '../../support/ledger-calls.js';

const pay = (world: World, attempt: string, change: object = {}): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr', ...change });
const query = (
  world: World,
  order: { request_id: string; order_key: string },
  change: object = {},
): ReturnType<World['ask']> =>
  world.ask('/v1/query', { request_id: order.request_id, order_key: order.order_key, ...change });

describe('placing an order', () => {
  it('sends each field of the intent unchanged, and adds the fields of the relay', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    await pay(world, attempt, {
      amount: '12.500',
      return_url: 'https://shop.example/back',
      customer_ref_id: 'me',
      remark: 'r',
    });
    const [sent] = world.pays();
    expect(sent?.notify_url).to.match(/^https:\/\/shop\.example\/pay\/v1\/notify\//);
    delete sent?.notify_url;
    expect(sent?.request_id).to.match(/^[a-z2-7]{26}$/);
    delete sent?.request_id;
    expect(sent).to.deep.equal({
      payment_method: 'direct',
      payment_type: 'qrcode',
      payment_channel: 'sbp_qr',
      amount: '12.500',
      currency: 'USD',
      product_name: 'A tree',
      remark: 'r',
      return_url: 'https://shop.example/back',
      customer_ref_id: 'web-me',
    });
  });

  it('sends one pay when clicks, reloads, options and two relays ask for one order', async () => {
    const ledger = memoryLedger();
    const world = createWorld({ ledger });
    const other = createWorld({ ledger, sandbox: world.sandbox });
    const attempt = crypto.randomUUID();
    const answers = await Promise.all([
      pay(world, attempt),
      pay(world, attempt),
      pay(other, attempt),
      pay(other, attempt, { option: 'card' }),
    ]);
    answers.push(
      await pay(world, attempt, { option: 'card' }),
      await world.ask('/v1/checkout', { ...openIntent, attempt }),
    );
    expect(world.pays().length).to.equal(1);
    expect(new Set(answers.map(({ body }) => body.order?.request_id))).to.deep.equal(
      new Set([world.pays()[0]?.request_id]),
    );
  });

  it('sends the order with the next pay when the first connection was refused', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const fetch = world.sandbox.fetch.bind(world.sandbox);
    world.sandbox.fetch = () =>
      Promise.reject(
        Object.assign(new TypeError('fetch failed'), {
          cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
        }),
      );
    const { status, body } = await pay(world, attempt);
    expect(status).to.equal(503);
    expect((body.error as { code: string }).code).to.equal('service_unreachable');
    const line = world.log.find(({ event }) => event === 'pay');
    expect(line?.fields).to.include({ cause: 'ECONNREFUSED', base_url: 'https://service.example' });
    world.sandbox.fetch = fetch;
    expect((await world.ask('/v1/checkout', { ...openIntent, attempt })).body.order).to.equal(
      undefined,
    );
    const order = (await pay(world, attempt, { option: 'card' })).body.order!;
    expect(order.next_action?.kind).to.equal('open_page');
    expect(world.pays().length).to.equal(1);
  });

  it('ends the wait of a page at another relay when the order was never sent', async () => {
    const ledger = memoryLedger();
    const one = createWorld({ ledger });
    const two = createWorld({ ledger, sandbox: one.sandbox });
    const refused = Object.assign(new Error('refused'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    let fail = (): void => {};
    one.sandbox.fetch = () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new TypeError('fetch failed', { cause: refused }));
      });
    const attempt = crypto.randomUUID();
    const first = pay(one, attempt);
    const intentId = await identityOn(ledger).intentIdOf(attempt);
    await until(async () => (await ledger.intent(intentId)) !== null, 'claimed');
    const shown = (await pay(two, attempt)).body.order!;
    expect(shown.outcome).to.equal('pending');
    const waiting = query(two, shown, { wait: 20, known_status: null });
    fail();
    expect((await first).status).to.equal(503);
    await two.relay.tick();
    expect((await waiting).body.order?.outcome).to.equal('failed');
  });

  it('replaces only the order that is named with its key, up to five open orders', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    let order = (await pay(world, attempt)).body.order!;
    const first = { request_id: order.request_id, order_key: order.order_key };
    expect(
      (await pay(world, attempt, { replaces: { ...first, order_key: 'm.x' } })).status,
    ).to.equal(404);
    const twice = await Promise.all([
      pay(world, attempt, { option: 'card', replaces: first }),
      pay(world, attempt, { option: 'card', replaces: first }),
    ]);
    const ids = twice.map(({ body }) => body.order?.request_id);
    expect(new Set(ids).size).to.equal(1);
    expect(ids[0]).not.to.equal(first.request_id);
    expect(twice[0]?.body.order?.other_payable).to.equal(true);
    order = twice[0]!.body.order!;
    for (const ordinal of [3, 4, 5]) {
      order = (
        await pay(world, attempt, {
          replaces: { request_id: order.request_id, order_key: order.order_key },
        })
      ).body.order!;
      expect((await findOrder(world.ledger, order.request_id))?.ordinal).to.equal(ordinal);
    }
    const { status } = await pay(world, attempt, {
      replaces: { request_id: order.request_id, order_key: order.order_key },
    });
    expect(status).to.equal(409);
    expect(world.pays().length).to.equal(5);
  });

  it('keeps no customer data in the ledger and in the log', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const { body } = await pay(world, attempt, {
      option: 'asks',
      customer: { phone: '+79990000001' },
    });
    const { intent_id, request_id } = body.order!;
    expect(world.pays()[0]?.customer).to.equal('{"phone":"+79990000001"}');
    expect(
      JSON.stringify([
        await findOrder(world.ledger, request_id),
        await world.ledger.intent(intent_id),
        world.log,
      ]),
    ).not.to.include('79990000001');
  });
});

describe('a fault of the service', () => {
  /**
   * For each fault of pay: outcome and next action after the relay's query, and whether the
   * service has the order, so that it can be paid.
   */
  const expected: Record<FaultName, [string, string | null, boolean]> = {
    slow: ['pending', 'wait', true],
    never_answers: ['pending', 'wait', true],
    cut_before: ['confirming', null, false],
    cut_after: ['pending', 'wait', true],
    http_500_html: ['confirming', null, false],
    http_500_html_after: ['pending', 'wait', true],
    html_200: ['pending', 'wait', true],
    broken_json: ['pending', 'wait', true],
    cut_mid_body: ['pending', 'wait', true],
    missing_data: ['pending', 'wait', true],
    refusal: ['failed', null, false],
    late_effect: ['pending', 'wait', true],
    wrong_amount: ['review', null, true],
    wrong_currency: ['review', null, true],
    unknown_status: ['pending', 'scan_qr', true],
    two_links: ['review', null, true],
    no_link: ['pending', 'wait', true],
    hostile_link: ['review', null, true],
    off_list_link: ['review', null, true],
    wrong_code: ['review', null, true],
    code_number: ['pending', 'scan_qr', true],
    code_string: ['pending', 'scan_qr', true],
  };

  for (const fault of Object.keys(faults) as FaultName[])
    it(`keeps the order and sends no second pay when pay has the fault ${fault}`, async () => {
      // the others must be answered in time, also on a busy machine
      const timeout_ms = fault === 'slow' || fault === 'never_answers' ? 400 : 10_000;
      const world = createWorld({ config: { service: { ...testConfig.service, timeout_ms } } });
      const attempt = crypto.randomUUID();
      world.sandbox.faults.add({ operation: 'pay', fault, delay_ms: 600 });
      const { status, body } = await pay(world, attempt);
      expect(status).to.equal(200);
      const order = body.order!;
      const [outcome, kind, payable] = expected[fault];
      const latest = async (): Promise<NonNullable<typeof order>> =>
        (await query(world, order)).body.order!;
      await until(
        async () => (await latest()).outcome === outcome,
        `${outcome}, is ${(await latest()).outcome}`,
      );
      expect((await latest()).next_action?.kind ?? null).to.equal(kind);
      if (payable) {
        world.sandbox.orders.act(world.sandbox.orders.byRequest(order.request_id)!, 'confirm');
        // only a person ends a review
        const end = outcome === 'review' ? 'review' : 'succeeded';
        await until(async () => (await latest()).status === 20, 'paid');
        expect((await latest()).outcome).to.equal(end);
      }
      await pay(world, attempt);
      expect(world.pays().length).to.equal(1);
    });

  it('keeps an order unchanged when a query has a fault', async () => {
    const world = createWorld();
    const order = (await pay(world, crypto.randomUUID())).body.order!;
    for (const fault of [
      'cut_before',
      'http_500_html',
      'html_200',
      'broken_json',
      'missing_data',
      'refusal',
    ] as const) {
      world.sandbox.faults.add({ operation: 'query', fault });
      expect(
        (await query(world, order, { wait: 1.2, known_status: 11 })).body.order?.outcome,
      ).to.equal('pending');
    }
  });

  it('queries an order whose relay crashed between claim and answer', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    // the relay learns nothing more, as if it had crashed
    world.sandbox.faults.add({ operation: 'pay', fault: 'never_answers' });
    void pay(world, attempt);
    const requestId = async (): Promise<string> =>
      (await world.ledger.intent(await identityOn(world.ledger).intentIdOf(attempt)))
        ?.current_request_id ?? '';
    await until(
      async () => (await findOrder(world.ledger, await requestId()))?.sending === 'claimed',
      'claimed',
    );
    // another relay takes over the ledger, later than any claim lasts
    let ranMs = 0;
    const later = createWorld({
      ledger: world.ledger,
      sandbox: world.sandbox,
      clock: {
        ...systemClock,
        now: () => Date.now() + 60_000 + ranMs,
        elapsed: () => systemClock.elapsed() + ranMs,
      },
    });
    const id = await requestId();
    await until(
      () => world.sandbox.orders.byRequest(id) !== undefined,
      'the service has the order',
    );
    // the clock may be wrong: the claim ends only after the relay has run for a whole claim
    await later.relay.tick();
    expect((await findOrder(world.ledger, id))?.sending).to.equal('claimed');
    ranMs = 15_000;
    await until(async () => {
      await later.relay.tick();
      return (await findOrder(world.ledger, id))?.status === 11;
    }, 'settled');
    expect(world.pays().length).to.equal(1);
  });
});

describe('polling an order', () => {
  it('queries the service when a webhook signal comes, and answers the long poll', async () => {
    // time stands still: no check is due, and no long poll ends by itself
    const world = createWorld({ clock: stillClock });
    const order = (await pay(world, crypto.randomUUID())).body.order!;
    let outcome: string | undefined;
    void query(world, order, { wait: 20, known_status: 11 }).then(({ body }) => {
      outcome = body.order?.outcome;
    });
    world.sandbox.orders.act(world.sandbox.orders.byRequest(order.request_id)!, 'confirm');
    await until(() => outcome !== undefined, 'the long poll ends');
    expect(outcome).to.equal('succeeded');
  });

  it('queries the service once for all pages that wait', async () => {
    const world = createWorld();
    const order = (await pay(world, crypto.randomUUID())).body.order!;
    const started = performance.now();
    await Promise.all(
      Array.from({ length: 20 }, () => query(world, order, { wait: 2.5, known_status: 11 })),
    );
    const queries = world.sandbox.calls.filter(({ operation }) => operation === 'query').length;
    // a young order is asked about every 1.6 s at most, and the waits last longer on a busy machine
    const seconds = (performance.now() - started) / 1000;
    expect(queries).to.be.within(1, 1 + Math.ceil(seconds / 1.6));
  });

  it('accepts another status after each outcome except success', async () => {
    const world = createWorld();
    const order = (await pay(world, crypto.randomUUID())).body.order!;
    const atService = (await world.sandbox.orders.byRequest(order.request_id))!;
    const untilOutcome = async (outcome: string): Promise<void> =>
      until(async () => (await query(world, order)).body.order?.outcome === outcome, outcome);
    world.sandbox.orders.act(atService, 'expire');
    await untilOutcome('expired');
    world.sandbox.orders.setStatus(atService, 99);
    await untilOutcome('unmapped');
    world.sandbox.orders.act(atService, 'pay_late');
    await untilOutcome('succeeded');
    expect((await query(world, order)).body.order?.late).to.equal(true);
    world.sandbox.orders.act(atService, 'decline');
    await query(world, order, { wait: 1.2, known_status: 20 });
    expect((await query(world, order)).body.order?.outcome).to.equal('succeeded');
    expect((await findOrder(world.ledger, order.request_id))?.review_reason).to.equal(
      'status_after_success',
    );
  });

  it('gives the backend all orders of the intent, with the paid one as “order”', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const first = (await pay(world, attempt)).body.order!;
    await pay(world, attempt, {
      option: 'card',
      replaces: { request_id: first.request_id, order_key: first.order_key },
    });
    world.sandbox.orders.act(world.sandbox.orders.byRequest(first.request_id)!, 'confirm');
    const { intent_id } = first;
    const queried = (): ReturnType<World['ask']> => world.ask('/v1/query', { intent_id }, bearer);
    await until(async () => (await queried()).body.order?.outcome === 'succeeded', 'paid');
    const { body } = await queried();
    expect(body.order?.request_id).to.equal(first.request_id);
    const attempts = body.orders as { request_id: string; option: string }[];
    expect(attempts.map(({ option }) => option)).to.deep.equal(['qr', 'card']);
  });
});
