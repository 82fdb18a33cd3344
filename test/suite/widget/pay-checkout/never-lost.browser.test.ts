/** After reloads, outages and moves the customer finds the same order and the right status. */
import { expect } from '@open-wc/testing';
import { sleep } from '../../support/wait.js';
import { createWorld, openIntent, until, type World } from '../../support/world.js';
import { fetchOf } from './relay-fetch.js';
import { clear, hurry, open, stage, stageChoosing, type Stage } from './stage.js';

/** The visibility and network state that the test sets. */
const page = { visibilityState: 'visible', onLine: true, relayFails: false };
const show = (state: 'visible' | 'hidden'): void => {
  page.visibilityState = state;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
};
const connect = (onLine: boolean): void => {
  page.onLine = onLine;
  dispatchEvent(new Event(onLine ? 'online' : 'offline'));
};

/** Places an order that waits for its payment; counts its requests and can cut the network. */
async function awaiting(
  world: World,
  attributes: Record<string, string> = {},
): Promise<Stage & { queries(): number }> {
  const requestedUrls: string[] = [];
  const set = stage(world, { ...open, ...attributes });
  const { element } = set;
  element.fetch = async (url, init) => {
    requestedUrls.push(url);
    if (!page.onLine) throw new TypeError('no network');
    if (page.relayFails) return new Response('<h1>Bad gateway</h1>', { status: 502 });
    return fetchOf(world)(url, init);
  };
  await set.phase('choosing');
  set.click('[data-action="pay"]');
  await set.phase('awaiting_payment');
  return { ...set, queries: () => requestedUrls.filter((url) => url.endsWith('/v1/query')).length };
}
const act = (world: World, action: 'confirm' | 'decline'): void =>
  world.sandbox.orders.act(world.sandbox.orders.all()[0]!, action);

/** Whether the sign of waiting has the colour of a warning, and does not move. */
const isAmberAndStill = ({ shadowRoot }: HTMLElement): boolean => {
  const pulse = shadowRoot?.querySelector('.pulse');
  const note = shadowRoot?.querySelector('.note');
  if (!pulse || !note) throw new Error('no pulse or no note');
  const { animationName, backgroundColor } = getComputedStyle(pulse);
  return animationName === 'none' && backgroundColor === getComputedStyle(note).borderTopColor;
};

describe('never lost', () => {
  before(() => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => page.visibilityState,
    });
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => page.onLine });
  });
  after(() => {
    Reflect.deleteProperty(document, 'visibilityState');
    Reflect.deleteProperty(navigator, 'onLine');
  });
  afterEach(() => {
    clear();
    Object.assign(page, { visibilityState: 'visible', onLine: true, relayFails: false });
  });

  it('stops queries while the tab is hidden, and queries at once when it is shown', async () => {
    const world = createWorld();
    const { phase, queries } = await awaiting(world);
    await until(() => queries() > 0, 'the first query');
    show('hidden');
    const before = queries();
    act(world, 'confirm');
    await sleep(300);
    expect(queries()).to.equal(before);
    show('visible');
    await phase('succeeded');
    expect(world.pays().length).to.equal(1);
  });

  it('says that the page is offline, and continues when the network is back', async () => {
    const world = createWorld();
    const { element, phase, text } = await awaiting(world);
    connect(false);
    await element.updateComplete;
    expect(text()).to.include('If you have paid, do not pay again');
    expect(isAmberAndStill(element)).to.equal(true);
    act(world, 'confirm');
    connect(true);
    await phase('succeeded');
    expect(text()).not.to.include('do not pay again');
  });

  it('says that it cannot check when the relay fails three times, until it answers', async () => {
    hurry();
    const world = createWorld();
    const { element, part, phase, text } = await awaiting(world);
    page.relayFails = true;
    // ends the query that the relay holds open
    show('hidden');
    show('visible');
    await until(() => text().includes('We cannot check right now'), 'the notice');
    expect(isAmberAndStill(element)).to.equal(true);
    expect(part('actions')?.textContent).to.include('I’ve paid');
    expect(element.phase).to.equal('awaiting_payment');
    act(world, 'confirm');
    page.relayFails = false;
    await phase('succeeded');
    expect(text()).not.to.include('We cannot check right now');
  });

  it('says that it cannot check while only the order service is down', async () => {
    const world = createWorld();
    const { element } = await awaiting(world);
    hurry();
    world.sandbox.faults.add({ operation: '*', fault: 'cut_before', times: 0 });
    const note = (): string => element.shadowRoot?.querySelector('.note')?.textContent ?? '';
    for (let calls = 0; calls < 5; calls++)
      await world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
    await until(() => note().includes('We cannot check right now'), 'the notice');
    expect(element.phase).to.equal('awaiting_payment');
    world.sandbox.faults.clear();
    act(world, 'confirm');
    await until(async () => {
      await world.relay.tick();
      return element.phase === 'succeeded';
    }, 'the payment');
  });

  it('places one order when two tries to place it meet a 502 and a cut line', async () => {
    hurry();
    const world = createWorld();
    const attempts: unknown[] = [];
    const { fetch } = world.relay;
    world.relay.fetch = async (request) => {
      if (!request.url.endsWith('/v1/pay')) return fetch(request);
      const { attempt } = (await request.clone().json()) as { attempt: unknown };
      if (attempts.push(attempt) === 1)
        return new Response('<h1>Bad gateway</h1>', { status: 502 });
      const answer = await fetch(request);
      // the second order was placed, but its answer is lost
      if (attempts.length === 2) throw new TypeError('cut');
      return answer;
    };
    const { events } = await awaiting(world);
    expect(attempts.length).to.equal(3);
    expect(new Set(attempts).size).to.equal(1);
    expect(world.pays().length).to.equal(1);
    expect(events).to.not.include('pay-problem');
  });

  it('loads the checkout again when the network is back', async () => {
    connect(false);
    const world = createWorld();
    const { element, phase } = stage(world, open);
    element.fetch = (url, init) =>
      page.onLine ? fetchOf(world)(url, init) : Promise.reject(new TypeError('no network'));
    await phase('problem');
    connect(true);
    await phase('choosing');
  });

  it('queries at once when the back-forward cache restores the page', async () => {
    const world = createWorld();
    const { phase, queries } = await awaiting(world);
    show('hidden');
    act(world, 'confirm');
    const before = queries();
    page.visibilityState = 'visible';
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await phase('succeeded');
    expect(queries()).to.be.above(before);
  });

  it('shows the order and places no second one when the page reloads during a pay', async () => {
    const world = createWorld();
    world.sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 300 });
    const first = await stageChoosing(world, open);
    first.click('[data-action="pay"]');
    await first.phase('submitting');
    await until(() => world.pays().length === 1, 'pay under way');
    first.element.remove();
    const second = stage(world, open);
    await second.phase('awaiting_payment');
    expect(second.part('qr')).not.to.equal(null);
    expect(world.pays().length).to.equal(1);
  });

  it('places one order when two tabs pay at once', async () => {
    const world = createWorld();
    const [one, two] = [
      stage(world, { ...open, option: 'qr' }),
      stage(world, { ...open, option: 'card' }),
    ];
    await Promise.all([one.phase('choosing'), two.phase('choosing')]);
    one.click('[data-action="pay"]');
    two.click('[data-action="pay"]');
    await Promise.all([one.phase('awaiting_payment'), two.phase('awaiting_payment')]);
    expect(world.pays().length).to.equal(1);
    act(world, 'confirm');
    await Promise.all([one.phase('succeeded'), two.phase('succeeded')]);
  });

  it('shows success when the element is moved after the payment', async () => {
    const world = createWorld();
    const { element, events, phase } = await awaiting(world);
    act(world, 'confirm');
    await phase('succeeded');
    const phases = (): number => events.filter((type) => type === 'pay-phase').length;
    const before = phases();
    const wrapper = document.createElement('div');
    document.body.append(wrapper);
    wrapper.append(element);
    await element.updateComplete;
    expect([element.phase, phases()]).to.deep.equal(['succeeded', before]);
    // another purchase begins a new checkout
    element.remove();
    element.amount = '13';
    wrapper.append(element);
    await phase('choosing');
    wrapper.remove();
  });

  it('keeps one checkout when the element is detached and attached again', async () => {
    const world = createWorld();
    const { element, events, phase } = stage(world, open);
    const parent = element.parentElement!;
    element.remove();
    parent.append(element);
    element.remove();
    parent.append(element);
    await phase('choosing');
    await until(() => events.includes('pay-phase'), 'the event');
    expect(events.filter((type) => type === 'pay-problem')).to.deep.equal([]);
    element.shadowRoot!.querySelector<HTMLElement>('[data-action="pay"]')!.click();
    await phase('awaiting_payment');
    const before = events.length;
    element.remove();
    parent.append(element);
    await element.updateComplete;
    expect([element.phase, events.length]).to.deep.equal(['awaiting_payment', before]);
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await phase('succeeded');
    expect(world.pays().length).to.equal(1);
  });

  it('runs two checkouts when a page has two elements', async () => {
    const world = createWorld();
    const tree = stage(world, open);
    const shirt = stage(world, { sku: 'tee' });
    await Promise.all([tree.phase('choosing'), shirt.phase('choosing')]);
    tree.click('[data-action="pay"]');
    await tree.phase('awaiting_payment');
    expect(shirt.element.phase).to.equal('choosing');
    shirt.click('[data-action="pay"]');
    await shirt.phase('awaiting_payment');
    expect(world.pays().map(({ amount }) => amount)).to.deep.equal(['12.50', '19.90']);
  });

  it('queries once more and keeps the order when the time to pay is over', async () => {
    const world = createWorld({
      config: {
        options: [
          {
            id: 'qr',
            label: 'QR',
            payment_method: 'direct',
            payment_type: 'qrcode',
            payment_channel: 'sbp_qr',
            expires_after_s: 2,
          },
        ],
      },
    });
    const { element, part, phase, queries, text } = await awaiting(world);
    expect(text()).to.match(/Waiting for your payment · 00:0[12]/);
    await until(() => text().includes('This code has expired'), 'the end of the time');
    expect(part('qr')).to.equal(null);
    await until(() => queries() >= 2, 'the last query');
    expect(element.phase).to.equal('awaiting_payment');
    expect(text()).to.include('I’ve already paid').and.to.include('Get a new code');
    act(world, 'confirm');
    await phase('succeeded');
  });
});
