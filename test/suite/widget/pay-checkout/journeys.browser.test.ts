/** Widget, relay and sandbox in one tab: every way to pay, from the choice to the payment. */
import { expect } from '@open-wc/testing';
import { bearer, createWorld, openIntent, SECRETS, until } from '../../support/world.js';
import { fetchOf } from './relay-fetch.js';
import { clear, hurry, open, stage, stageAwaiting, stageChoosing, type Stage } from './stage.js';
import { findOrder } from '../../support/ledger-calls.js';

describe('ways to pay', () => {
  afterEach(clear);

  const ways: [string, string, RegExp | null][] = [
    ['qr', 'scan_qr', null],
    ['qr_page', 'open_page', /\/checkout\//],
    ['account', 'open_page', /\/account\//],
    ['wallet', 'open_wallet', /\/wallet\//],
    ['wallet_page', 'open_page', /\/checkout\//],
    ['card', 'open_page', /\/checkout\//],
    ['chain', 'open_page', /\/checkout\//],
    ['chain_wait', 'wait', null],
  ];
  for (const [option, kind, link] of ways)
    it(`offers ${kind} and reaches the payment when the option is ${option}`, async () => {
      const world = createWorld();
      const { element, click, events, part, phase } = await stageChoosing(world, open);
      click(`[data-option="${option}"] input`);
      await element.updateComplete;
      click('[data-action="pay"]');
      await phase('awaiting_payment');
      const anchor = part('link');
      if (link) {
        expect(anchor?.getAttribute('href')).to.match(link);
        expect(anchor?.getAttribute('rel')).to.include('noopener');
      } else expect(anchor).to.equal(null);
      expect(part('qr') !== null).to.equal(/scan_qr|open_wallet/.test(kind));
      const [order] = world.sandbox.orders.all();
      world.sandbox.orders.act(order!, 'confirm');
      await phase('succeeded');
      expect(element.outcome).to.equal('succeeded');
      expect(world.pays().length).to.equal(1);
      await until(() => events.at(-1) === 'pay-succeeded', 'the last event');
      expect(events.filter((type) => type !== 'pay-phase')).to.deep.equal([
        'pay-order',
        'pay-status',
        'pay-succeeded',
      ]);
    });

  it('shows the relay’s amount for a token, a catalogue item and an open amount', async () => {
    const world = createWorld();
    const { body } = await world.ask(
      '/v1/order-tokens',
      { ...openIntent, customer_ref_id: 'c' },
      { authorization: `Bearer ${SECRETS.SECRET ?? ''}` },
    );
    for (const [attributes, amount] of [
      [{ 'order-token': body.order_token as string }, '12.50'],
      [{ sku: 'tee', quantity: '2' }, '39.80'],
      [open, '12.50'],
    ] as const) {
      const { part } = await stageChoosing(world, attributes);
      expect(part('amount')?.dataset.amount).to.equal(amount);
      clear();
    }
  });

  it('shows the same order after a reload', async () => {
    const world = createWorld();
    const first = await stageAwaiting(world, { ...open, option: 'qr' });
    const codeOf = ({ part }: Stage): string | null | undefined =>
      part('qr')?.querySelector('path:last-of-type')?.getAttribute('d');
    const before = codeOf(first);
    expect(before).to.match(/^M4 4h7/u);
    first.element.remove();
    const second = stage(world, { ...open, option: 'card' });
    await second.phase('awaiting_payment');
    expect(codeOf(second)).to.equal(before);
    expect(world.pays().length).to.equal(1);
  });

  it('shows the same order after a reload with another return-url', async () => {
    const world = createWorld();
    const first = await stageAwaiting(world, {
      ...open,
      'return-url': 'https://shop.example/thanks?visit=1',
    });
    const { request_id } = first.element.order!;
    first.element.remove();
    const second = stage(world, { ...open, 'return-url': 'https://shop.example/thanks?visit=2' });
    await second.phase('awaiting_payment');
    expect(second.element.order?.request_id).to.equal(request_id);
    expect(world.pays().length).to.equal(1);
  });

  it('shows the same order when the relay has another address after a reload', async () => {
    const world = createWorld();
    const first = await stageAwaiting(world, open);
    const { request_id } = first.element.order!;
    first.element.remove();
    const second = stage(world, { ...open, relay: 'https://moved.example' });
    await second.phase('awaiting_payment');
    expect(second.element.order?.request_id).to.equal(request_id);
    expect(world.pays().length).to.equal(1);
  });

  it('sends one pay when the button is clicked three times at once', async () => {
    const world = createWorld();
    const { click, phase } = await stageChoosing(world, open);
    for (let clicks = 0; clicks < 3; clicks++) click('[data-action="pay"]');
    await phase('awaiting_payment');
    expect(world.pays().length).to.equal(1);
  });

  it('replaces the order and warns when the customer chooses another way to pay', async () => {
    const world = createWorld();
    const { click, element, phase, text } = await stageAwaiting(world, open);
    click('[data-action="choose-again"]');
    await phase('choosing');
    expect(text()).to.include('can still be paid');
    click('[data-option="card"] input');
    await element.updateComplete;
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    expect(world.pays().map(({ payment_method }) => payment_method)).to.deep.equal([
      'direct',
      'on_line',
    ]);
    expect(text()).to.include('earlier order');
  });

  it('shows success when a failed order is paid late', async () => {
    const world = createWorld();
    const { phase } = await stageAwaiting(world, open);
    const [order] = world.sandbox.orders.all();
    world.sandbox.orders.act(order!, 'decline');
    await phase('failed');
    world.sandbox.orders.act(order!, 'pay_late');
    await phase('succeeded');
  });

  it('shows neither a code nor a button when the shop closes the intent', async () => {
    const world = createWorld();
    const attributes = { relay: location.origin, sku: 'tee', option: 'qr' };
    const { element, events, part, phase, text } = await stageAwaiting(world, attributes);
    expect(part('qr')).to.not.equal(null);
    const [order] = world.sandbox.orders.all();
    const row = await findOrder(world.ledger, order?.request_id ?? '');
    await world.ask('/v1/close', { intent_id: row?.intent_id }, bearer);
    await phase('closed');
    expect(part('qr')).to.equal(null);
    expect(element.shadowRoot?.querySelector('button, a[part~="link"]')).to.equal(null);
    expect(text()).to.include('The shop has closed this order');
    // a late payment is no success: the shop does not deliver
    world.sandbox.orders.setStatus(order!, 20);
    await world.ask('/v1/query', { intent_id: row?.intent_id }, bearer);
    await until(() => element.outcome === 'succeeded', 'the late payment');
    expect(element.phase).to.equal('closed');
    expect(events).to.not.include('pay-succeeded');
    // the same product can be bought anew
    element.remove();
    await stageChoosing(world, attributes);
  });

  it('shows a deposit address with a tag, and an address without a tag', async () => {
    const world = createWorld();
    const { element, part, phase, text } = stage(world, {
      deposit: 'XRP',
      'customer-ref-id': 'c1',
    });
    await phase('showing_deposit_address');
    const expected = world.sandbox.calls.length;
    expect(expected).to.equal(1);
    expect(part('address')?.textContent?.trim()).to.match(/^r[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(part('address')?.dataset.value).to.equal(part('address')?.textContent?.trim());
    expect(part('tag')?.textContent?.trim()).to.match(/^\d+$/);
    expect(text()).to.include('Destination tag');
    element.setAttribute('deposit', 'BTC');
    await until(
      () => part('address')?.dataset.value?.startsWith('bc1') ?? false,
      'the other address',
    );
    expect(part('tag')).to.equal(null);
  });
});

describe('faults of the service and mistakes of the page', () => {
  afterEach(clear);

  for (const fault of ['hostile_link', 'off_list_link', 'wrong_amount', 'two_links'] as const)
    it(`shows a reference but no link and no QR code when the fault is ${fault}`, async () => {
      const world = createWorld();
      world.sandbox.faults.add({ operation: 'pay', fault });
      const { click, part, phase } = await stageChoosing(world, open);
      click('[data-action="pay"]');
      await phase('review');
      expect(part('link')).to.equal(null);
      expect(part('qr')).to.equal(null);
      expect(part('problem')?.textContent).to.include(world.sandbox.orders.all()[0]?.request_id);
    });

  it('confirms a pay whose answer was lost, and then shows its order', async () => {
    const world = createWorld();
    world.sandbox.faults.add({ operation: 'pay', fault: 'late_effect', delay_ms: 1500 });
    const { click, phase, text } = await stageChoosing(world, open);
    click('[data-action="pay"]');
    await phase('confirming');
    expect(text()).to.include('Your order is kept');
    await phase('awaiting_payment');
    expect(world.pays().length).to.equal(1);
  });

  it('places no second order when the customer retries after a lost answer', async () => {
    hurry();
    const world = createWorld();
    const { click, element, part, phase } = stage(world, open);
    let lose = true;
    element.fetch = async (url, init) => {
      const response = await fetchOf(world)(url, init);
      if (lose && url.endsWith('/v1/pay')) throw new TypeError('network');
      return response;
    };
    await phase('choosing');
    click('[data-action="pay"]');
    await phase('problem');
    expect(part('problem')?.textContent).to.include('your order is kept');
    lose = false;
    click('[data-action="retry"]');
    await phase('awaiting_payment');
    expect(world.pays().length).to.equal(1);
  });

  const wrong: [string, Record<string, string>, string][] = [
    ['a currency and nothing to buy', { currency: 'USD' }, 'order-token'],
    ['a token and an amount', { 'order-token': 'x', amount: '1' }, 'amount'],
    ['a sku and a currency', { sku: 'tee', currency: 'USD' }, 'currency'],
    ['a quantity that is no number', { sku: 'tee', quantity: 'two' }, 'quantity'],
    ['an amount without a currency', { amount: '1' }, 'currency'],
    ['an amount without a product', { amount: '1', currency: 'USD' }, 'product-name'],
    ['a deposit beside an order', { deposit: 'XRP', sku: 'tee' }, 'deposit'],
    ['a deposit without a customer', { deposit: 'XRP' }, 'deposit-token'],
  ];
  for (const [what, attributes, named] of wrong)
    it(`names ${named} in the console when the page has ${what}`, async () => {
      const logged: string[] = [];
      const original = console.error;
      console.error = (...parts: unknown[]) => void logged.push(parts.join(' '));
      try {
        const world = createWorld();
        const { part, phase } = stage(world, attributes);
        await phase('problem');
        expect(logged.join()).to.include(named);
        expect(part('problem')?.textContent).to.include('Checkout not available');
        expect(world.sandbox.calls).to.deep.equal([]);
      } finally {
        console.error = original;
      }
    });

  it('names the relay in the console when the page does not', async () => {
    const original = console.warn;
    const logged: string[] = [];
    console.warn = (...parts: unknown[]) => void logged.push(parts.join(' '));
    const element = document.createElement('pay-checkout');
    element.setAttribute('sku', 'tee');
    document.body.append(element);
    await until(() => element.phase === 'problem', 'problem');
    console.warn = original;
    expect(logged.join()).to.include('relay: no attribute or script names it');
  });

  it('asks the page for a new token when the token is invalid', async () => {
    const { element, events, phase } = stage(createWorld(), { 'order-token': 'not.a.token' });
    await phase('problem');
    await until(() => events.includes('pay-token-needed'), 'the event');
    expect(element.outcome).to.equal(null);
  });
});
