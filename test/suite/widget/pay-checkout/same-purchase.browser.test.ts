/** A purchase stays the same when its return-url comes or goes, and while the page unsets it. */
import { expect } from '@open-wc/testing';
import { MAX_UNSET_MS } from '../../../../widget/checkout/flow.js';
import { timing } from '../../../../widget/timing.js';
import { createWorld, until, type World } from '../../support/world.js';
import { clear, open, stage, stageAwaiting, type Stage } from './stage.js';

const BACK = 'https://shop.example/thanks';

const purchases: Record<string, Record<string, string>> = {
  'an amount': open,
  'a catalogue item': { sku: 'tee' },
};

async function stagePaid(world: World, attributes: Record<string, string>): Promise<Stage> {
  const page = await stageAwaiting(world, attributes);
  world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
  await page.element.checkNow();
  await page.phase('succeeded');
  return page;
}

/** Sets an attribute, or removes it when the value is null. */
function write({ element }: Stage, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

for (const [what, attributes] of Object.entries(purchases))
  describe(`the purchase of ${what}, with and without a return-url,`, () => {
    afterEach(clear);

    for (const [change, before, after] of [
      ['comes', {}, BACK],
      ['goes', { 'return-url': BACK }, null],
    ] as const) {
      it(`stays paid when it ${change} after the success`, async () => {
        const page = await stagePaid(createWorld(), { ...attributes, ...before });
        write(page, 'return-url', after);
        await page.element.updateComplete;
        expect(page.element.phase).to.equal('succeeded');
      });

      it(`has one order when it ${change} at the first \`pay-order\``, async () => {
        const world = createWorld();
        const page = stage(world, { ...attributes, ...before });
        await page.phase('choosing');
        const orders: string[] = [];
        page.element.addEventListener('pay-order', ({ order }) => {
          orders.push(order.request_id);
          write(page, 'return-url', after);
        });
        page.click('[data-action="pay"]');
        await until(() => orders.length === 2, 'the order is restored');
        expect(new Set(orders).size).to.equal(1);
        expect(world.pays()).to.have.length(1);
      });

      it(`finds its order when it ${change} with a reload`, async () => {
        const world = createWorld();
        const first = await stageAwaiting(world, { ...attributes, ...before });
        const { request_id } = first.element.order!;
        first.element.remove();
        const second = stage(world, { ...attributes, ...(after && { 'return-url': after }) });
        await second.phase('awaiting_payment');
        expect(second.element.order?.request_id).to.equal(request_id);
        expect(world.pays()).to.have.length(1);
      });
    }
  });

describe('a purchase that is paid', () => {
  afterEach(clear);

  for (const [what, attributes, name] of [
    ['a catalogue item', { sku: 'tee' }, 'sku'],
    ['an amount', open, 'amount'],
    ['an amount without its product', open, 'product-name'],
  ] as const)
    it(`stays on screen while the page unsets ${what}, and tells its success once`, async () => {
      const world = createWorld();
      const page = await stagePaid(world, attributes);
      const { element, events } = page;
      const { order } = element;
      const value = element.getAttribute(name);
      const timers: [ms: number, run: () => void][] = [];
      timing.after = (ms, run) => {
        timers.push([ms, run]);
        return () => {};
      };
      for (const next of [null, value]) {
        write(page, name, next);
        await element.updateComplete;
        expect(element.phase).to.equal('succeeded');
      }
      write(page, name, null);
      await element.updateComplete;
      for (const [ms, run] of timers) if (ms < MAX_UNSET_MS) run();
      expect(element.phase).to.equal('succeeded');
      expect(element.order).to.equal(order);
      expect(events.filter((type) => type === 'pay-succeeded')).to.have.length(1);
      // an attribute that stays unset
      timers.findLast(([ms]) => ms === MAX_UNSET_MS)?.[1]();
      expect(element.order).to.equal(null);
    });

  it('stays on screen when the page names another purchase for a moment', async () => {
    const page = await stagePaid(createWorld(), open);
    const { element } = page;
    const { fetch } = element;
    const asked: string[] = [];
    element.fetch = (url, init) => {
      asked.push(url);
      return fetch!(url, init);
    };
    for (const amount of ['0', open.amount]) {
      write(page, 'amount', amount);
      await element.updateComplete;
    }
    expect(element.phase).to.equal('succeeded');
    write(page, 'amount', '13');
    await page.phase('choosing');
    expect(asked).to.have.length(1);
  });

  for (const [when, before] of [
    ['had none', {}],
    ['had another', { 'return-url': BACK }],
  ] as const)
    it(`leads back to an address that its page wrote later, when it ${when}`, async () => {
      const page = await stagePaid(createWorld(), { ...open, ...before });
      const button = (): string | null | undefined =>
        page.element.shadowRoot?.querySelector('a.primary')?.getAttribute('href');
      const own = `${location.origin}/thanks/2041`;
      for (const [address, shown] of [
        [own, own],
        // no relay has checked an address of another origin
        ['https://elsewhere.example/', before['return-url']],
      ] as const) {
        write(page, 'return-url', address);
        await page.element.updateComplete;
        expect(button()).to.equal(shown);
      }
    });

  it('is bought once more after restart()', async () => {
    const page = await stagePaid(createWorld(), open);
    for (const amount of [null, open.amount]) {
      write(page, 'amount', amount);
      await page.element.updateComplete;
    }
    page.element.restart();
    await page.phase('choosing');
  });

  it('waits after restart() when the page names no purchase any more', async () => {
    const page = await stagePaid(createWorld(), { sku: 'tee' });
    write(page, 'sku', null);
    await page.element.updateComplete;
    page.element.restart();
    await page.phase('waiting');
    expect(page.element.order).to.equal(null);
  });

  it('is no deposit: one that the page unsets shows its address again', async () => {
    const page = stage(createWorld(), { deposit: 'XRP', 'customer-ref-id': 'c' });
    await page.phase('showing_deposit_address');
    page.element.markReceived();
    for (const deposit of [null, 'XRP']) {
      write(page, 'deposit', deposit);
      await page.element.updateComplete;
    }
    await page.phase('showing_deposit_address');
    expect(page.text()).not.to.include('Deposit received');
  });
});
