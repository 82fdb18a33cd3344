/** The element waits while it has no purchase, and gives its last order to a late listener. */
import { expect } from '@open-wc/testing';
import { timing } from '../../../../widget/timing.js';
import { createWorld, until } from '../../support/world.js';
import { clear, open, stage, stageAwaiting } from './stage.js';

describe('without a purchase', () => {
  afterEach(clear);

  for (const [what, attributes] of Object.entries<Record<string, string>>({
    nothing: {},
    'an empty token': { 'order-token': '' },
    'only a return-url and a customer': {
      'return-url': 'https://shop.example/',
      'customer-ref-id': 'c',
    },
  }))
    it(`waits without a problem when the page names ${what}`, async () => {
      const { element, events, phase, part } = stage(createWorld(), attributes);
      await phase('waiting');
      await element.updateComplete;
      expect([part('problem'), element.problem, element.order]).to.deep.equal([null, null, null]);
      for (const [name, value] of Object.entries(open)) element.setAttribute(name, value);
      await phase('choosing');
      expect(events.filter((type) => type === 'pay-problem')).to.deep.equal([]);
      for (const name of Object.keys(open)) element.removeAttribute(name);
      await phase('waiting');
    });

  it('tells each change of the phase, with the phase that ended', async () => {
    const { element, phase } = stage(createWorld(), {});
    const chain: string[] = [];
    element.addEventListener('pay-phase', (event) =>
      chain.push(`${event.previous} > ${event.phase}`),
    );
    await phase('waiting');
    for (const [name, value] of Object.entries(open)) element.setAttribute(name, value);
    await phase('choosing');
    element.setAttribute('amount', '13');
    await phase('loading');
    await phase('choosing');
    element.removeAttribute('product-name');
    await phase('problem');
    for (const name of Object.keys(open)) element.removeAttribute(name);
    await phase('waiting');
    await until(() => chain.at(-1)?.endsWith('waiting') === true, 'the last event');
    expect(chain).to.deep.equal([
      ' > waiting',
      'waiting > loading',
      'loading > choosing',
      'choosing > loading',
      'loading > choosing',
      'choosing > loading',
      'loading > problem',
      'problem > loading',
      'loading > waiting',
    ]);
  });

  it('tells the developer after a while that the page has named no purchase', async () => {
    const { after } = timing;
    const { warn } = console;
    const warnings: unknown[] = [];
    console.warn = (text: unknown): void => void warnings.push(text);
    timing.after = (ms, run) => after(ms === 10_000 ? 0 : ms, run);
    const { element, phase } = stage(createWorld(), { 'order-token': '' });
    await phase('waiting');
    await until(() => warnings.length > 0, 'a warning');
    expect(warnings).to.deep.equal([
      '<pay-checkout> waits for order-token, sku, amount or deposit',
    ]);
    element.remove();
    console.warn = warn;
  });

  it('shows a problem when the attributes name only a part of a purchase', async () => {
    for (const [name, value] of [
      ['quantity', '2'],
      ['currency', 'USD'],
      ['product-name', 'A tree'],
      ['deposit-token', 'eyJ'],
    ] as const) {
      const { element, phase } = stage(createWorld(), { [name]: value });
      await phase('problem');
      expect(element.problem?.code, name).to.equal('attributes_wrong');
      element.remove();
    }
  });
});

describe('a page that names an amount', () => {
  afterEach(clear);

  it('learns that a quantity beside it does not multiply it', async () => {
    const { phase, text } = stage(createWorld(), { ...open, quantity: '3' });
    await phase('problem');
    expect(text()).to.include('quantity: is not allowed beside amount');
  });
});

describe('a listener that comes late', () => {
  afterEach(clear);

  it('finds the last order of a purchase, and no order after the purchase changes', async () => {
    const world = createWorld();
    const { element, phase } = await stageAwaiting(world, open);
    expect(element.order?.amount).to.equal('12.50');
    expect(element.problem).to.equal(null);
    const events: unknown[] = [];
    element.addEventListener('pay-succeeded', (event) =>
      events.push([event.order, event.detail.order]),
    );
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await phase('succeeded');
    await until(() => events.length === 1, 'the event');
    expect(events[0]).to.deep.equal([element.order, element.order]);
    element.setAttribute('amount', '13');
    await phase('choosing');
    expect(element.order).to.equal(null);
  });

  it('sees only the attributes of the page before the first answer', async () => {
    const { element } = stage(createWorld(), open);
    const written = element.getAttributeNames().sort();
    await element.updateComplete;
    expect(element.phase).to.equal('loading');
    expect(element.getAttributeNames().sort()).to.deep.equal(written);
    expect(written).to.not.include('theme');
  });
});
