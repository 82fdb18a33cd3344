/** A purchase stays the same when its return-url comes, changes or goes. */
import { expect } from '@open-wc/testing';
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
