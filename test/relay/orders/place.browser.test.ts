/** One intent, one current order, one upstream pay, whatever the customer and the service do. */
import { expect } from '@open-wc/testing';
import { faults, type FaultName } from '../../../relay/sandbox/faults.js';
import { systemClock } from '../../../relay/runtime.js';
import { memoryLedger } from '../../../relay/ledger/memory-ledger.js';
import { bearer, createWorld, openIntent, until, type World } from '../../support/world.js';

const ask = (world: World, attempt: string, change: object = {}): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr', ...change });
const query = (
  world: World,
  order: { request_id: string; order_key: string },
  change: object = {},
): ReturnType<World['ask']> =>
  world.ask('/v1/query', { request_id: order.request_id, order_key: order.order_key, ...change });

describe('place', () => {
  it('sends one pay for clicks, reloads, tabs, other options and two relays on one ledger', async () => {
    const ledger = memoryLedger();
    const world = createWorld({ ledger });
    const other = createWorld({ ledger, sandbox: world.sandbox });
    const attempt = crypto.randomUUID();
    const answers = await Promise.all([
      ask(world, attempt),
      ask(world, attempt),
      ask(other, attempt),
      ask(other, attempt, { option: 'card' }),
    ]);
    answers.push(
      await ask(world, attempt, { option: 'card' }),
      await world.ask('/v1/checkout', { ...openIntent, attempt }),
    );
    expect(world.pays().length).to.equal(1);
    expect(new Set(answers.map(({ body }) => body.order?.request_id))).to.deep.equal(
      new Set([world.pays()[0]?.request_id]),
    );
  });

  it('answers what the intent says, byte for byte, and adds what only the relay knows', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    await ask(world, attempt, {
      amount: '12.500',
      return_url: 'https://shop.example/back',
      customer_ref_id: 'me',
      remark: 'r',
    });
    const [pay] = world.pays();
    expect(pay?.notify_url).to.match(/^https:\/\/shop\.example\/pay\/v1\/notify\//);
    delete pay?.notify_url;
    expect(pay?.request_id).to.match(/^[a-z2-7]{26}$/);
    delete pay?.request_id;
    expect(pay).to.deep.equal({
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

  it('refuses the same identity with other content', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    await ask(world, attempt);
    const { status, body } = await ask(world, attempt, { amount: '13' });
    expect(status).to.equal(409);
    expect((body.error as { code: string }).code).to.equal('intent_conflict');
    expect(world.pays().length).to.equal(1);
  });

  it('replaces only the order that is named with its key, once, and at most five in all', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    let order = (await ask(world, attempt)).body.order!;
    const first = { request_id: order.request_id, order_key: order.order_key };
    expect(
      (await ask(world, attempt, { replaces: { ...first, order_key: 'm.x' } })).status,
    ).to.equal(404);
    const twice = await Promise.all([
      ask(world, attempt, { option: 'card', replaces: first }),
      ask(world, attempt, { option: 'card', replaces: first }),
    ]);
    const ids = twice.map(({ body }) => body.order?.request_id);
    expect(new Set(ids).size).to.equal(1);
    expect(ids[0]).not.to.equal(first.request_id);
    expect(twice[0]?.body.order?.other_payable).to.equal(true);
    order = twice[0]!.body.order!;
    for (const ordinal of [3, 4, 5]) {
      order = (
        await ask(world, attempt, {
          replaces: { request_id: order.request_id, order_key: order.order_key },
        })
      ).body.order!;
      expect((await world.ledger.order(order.request_id))?.ordinal).to.equal(ordinal);
    }
    const { status } = await ask(world, attempt, {
      replaces: { request_id: order.request_id, order_key: order.order_key },
    });
    expect(status).to.equal(409);
    expect(world.pays().length).to.equal(5);
  });

  it('never replaces a paid order, and shows the paid one', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const order = (await ask(world, attempt)).body.order!;
    world.sandbox.orders.act(world.sandbox.orders.byRequest(order.request_id)!, 'confirm');
    await until(
      async () => (await query(world, order)).body.order?.outcome === 'succeeded',
      'paid',
    );
    expect(
      (
        await ask(world, attempt, {
          replaces: { request_id: order.request_id, order_key: order.order_key },
        })
      ).status,
    ).to.equal(409);
    expect((await ask(world, attempt)).body.order?.outcome).to.equal('succeeded');
    expect(world.pays().length).to.equal(1);
  });

  it('sends again after a connection that never came about, under the same request_id', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const fetch = world.sandbox.fetch.bind(world.sandbox);
    world.sandbox.fetch = () =>
      Promise.reject(
        Object.assign(new TypeError('fetch failed'), {
          cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
        }),
      );
    const { status, body } = await ask(world, attempt);
    expect(status).to.equal(503);
    expect((body.error as { code: string }).code).to.equal('service_unreachable');
    world.sandbox.fetch = fetch;
    expect((await world.ask('/v1/checkout', { ...openIntent, attempt })).body.order).to.equal(
      undefined,
    );
    const order = (await ask(world, attempt, { option: 'card' })).body.order!;
    expect(order.next_action?.kind).to.equal('open_page');
    expect(world.pays().length).to.equal(1);
  });

  it('tells a page that waits at another relay when the order was never sent', async () => {
    const ledger = memoryLedger();
    const one = createWorld({ ledger });
    const two = createWorld({ ledger, sandbox: one.sandbox });
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    let fail = (): void => {};
    one.sandbox.fetch = () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new TypeError('fetch failed', { cause: refused }));
      });
    const attempt = crypto.randomUUID();
    const first = ask(one, attempt);
    await until(async () => (await ledger.intentOf(attempt)) !== null, 'claimed');
    const shown = (await ask(two, attempt)).body.order!;
    expect(shown.outcome).to.equal('pending');
    const waiting = query(two, shown, { wait: 5, known_status: null });
    fail();
    expect((await first).status).to.equal(503);
    await two.relay.tick();
    expect((await waiting).body.order?.outcome).to.equal('failed');
  });

  it('keeps no customer data and never puts it in the log', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const { body } = await ask(world, attempt, {
      option: 'asks',
      customer: { phone: '+79990000001' },
    });
    const { intent_id, request_id } = body.order!;
    expect(world.pays()[0]?.customer).to.equal('{"phone":"+79990000001"}');
    expect(
      JSON.stringify([
        await world.ledger.order(request_id),
        await world.ledger.intent(intent_id),
        world.log,
      ]),
    ).not.to.contain('79990000001');
  });
});

describe('faults of pay', () => {
  /**
   * outcome and next action once the relay has asked, and whether confirming at the service leads
   * to success.
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
    hostile_link: ['review', null, true],
    off_list_link: ['review', null, true],
    code_number: ['pending', 'scan_qr', true],
    code_string: ['pending', 'scan_qr', true],
  };

  for (const fault of Object.keys(faults) as FaultName[])
    it(`${fault}: the order is not lost, following goes on, no second pay`, async () => {
      const world = createWorld();
      const attempt = crypto.randomUUID();
      world.sandbox.faults.add({ operation: 'pay', fault, delay_ms: 600 });
      const { status, body } = await ask(world, attempt);
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
      await ask(world, attempt);
      expect(world.pays().length).to.equal(1);
    });

  it('a fault of query changes nothing', async () => {
    const world = createWorld();
    const order = (await ask(world, crypto.randomUUID())).body.order!;
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
  }).timeout(15_000);

  it('a crash between claim and answer is settled by the next start', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    world.sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 300 });
    void ask(world, attempt);
    const requestId = async (): Promise<string> =>
      (await world.ledger.intent((await world.ledger.intentOf(attempt)) ?? ''))
        ?.current_request_id ?? '';
    await until(
      async () => (await world.ledger.order(await requestId()))?.sending === 'claimed',
      'claimed',
    );
    // another relay takes over the ledger, later than any claim lasts
    const later = createWorld({
      ledger: world.ledger,
      sandbox: world.sandbox,
      clock: { ...systemClock, now: () => Date.now() + 60_000 },
    });
    const id = await requestId();
    await until(() => world.sandbox.orders.byRequest(id) !== undefined, 'the effect');
    // a clock that runs ahead proves nothing: a whole claim must pass first
    await later.relay.tick();
    expect((await world.ledger.order(id))?.sending).not.to.equal('lost');
    await until(async () => {
      await later.relay.tick();
      return (await world.ledger.order(id))?.status === 11;
    }, 'settled');
    expect(world.pays().length).to.equal(1);
  }).timeout(20_000);
});

describe('follow', () => {
  it('answers a long poll at a webhook signal, by asking the service and not by the body', async () => {
    const world = createWorld();
    const order = (await ask(world, crypto.randomUUID())).body.order!;
    const waiting = query(world, order, { wait: 5, known_status: 11 });
    const started = performance.now();
    world.sandbox.orders.act(world.sandbox.orders.byRequest(order.request_id)!, 'confirm');
    expect((await waiting).body.order?.outcome).to.equal('succeeded');
    expect(performance.now() - started).to.be.below(1500);
  });

  it('asks nothing when a webhook signal is forged', async () => {
    const world = createWorld();
    const order = (await ask(world, crypto.randomUUID())).body.order!;
    const before = world.sandbox.calls.length;
    const forged = await world.relay.fetch(
      new Request(`https://shop.example/v1/notify/${order.request_id}.m.${'A'.repeat(43)}`, {
        method: 'POST',
        body: '{"status":20}',
      }),
    );
    expect(await forged.text()).to.equal('OK');
    expect(world.sandbox.calls.length).to.equal(before);
    expect((await query(world, order)).body.order?.outcome).to.equal('pending');
  });

  it('asks once for all who wait', async () => {
    const world = createWorld();
    const order = (await ask(world, crypto.randomUUID())).body.order!;
    await Promise.all(
      Array.from({ length: 20 }, () => query(world, order, { wait: 2.5, known_status: 11 })),
    );
    const queries = world.sandbox.calls.filter(({ operation }) => operation === 'query').length;
    expect(queries).to.be.within(1, 3);
  }).timeout(8000);

  it('only success is final', async () => {
    const world = createWorld();
    const order = (await ask(world, crypto.randomUUID())).body.order!;
    const at = (await world.sandbox.orders.byRequest(order.request_id))!;
    const heard = async (outcome: string): Promise<void> =>
      until(async () => (await query(world, order)).body.order?.outcome === outcome, outcome);
    world.sandbox.orders.act(at, 'expire');
    await heard('expired');
    world.sandbox.orders.setStatus(at, 99);
    await heard('unmapped');
    world.sandbox.orders.act(at, 'pay_late');
    await heard('succeeded');
    expect((await query(world, order)).body.order?.late).to.equal(true);
    world.sandbox.orders.act(at, 'decline');
    await query(world, order, { wait: 1.2, known_status: 20 });
    expect((await query(world, order)).body.order?.outcome).to.equal('succeeded');
    expect((await world.ledger.order(order.request_id))?.review_reason).to.equal(
      'status_after_success',
    );
  }).timeout(15_000);

  it('tells the backend all attempts, and the paid one first of all', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const first = (await ask(world, attempt)).body.order!;
    await ask(world, attempt, {
      option: 'card',
      replaces: { request_id: first.request_id, order_key: first.order_key },
    });
    world.sandbox.orders.act(world.sandbox.orders.byRequest(first.request_id)!, 'confirm');
    const { intent_id } = first;
    const queried = (): ReturnType<World['ask']> => world.ask('/v1/query', { intent_id }, bearer);
    await until(async () => (await queried()).body.order?.outcome === 'succeeded', 'paid');
    const { body } = await queried();
    expect(body.order?.request_id).to.equal(first.request_id);
    const attempts = body.attempts as { request_id: string; option: string }[];
    expect(attempts.map(({ option }) => option)).to.deep.equal(['qr', 'card']);
  });
});
