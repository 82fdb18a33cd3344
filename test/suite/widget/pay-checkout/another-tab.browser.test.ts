/** Two elements stand for two tabs: neither loses the order of the other. */
import { expect } from '@open-wc/testing';
import type { Order } from '../../../../relay/contract/order.js';
import { bearer, createWorld, until, type World } from '../../support/world.js';
import { clear, stage, stageAwaiting, stageChoosing, type Stage } from './stage.js';

const sku = { sku: 'tee' };
const orderOf = ({ element }: Stage): Order => element.order!;

/** Goes back to the ways to pay, and pays by wallet. */
async function payAnotherWay(staged: Stage): Promise<void> {
  staged.click('[data-action="choose-again"]');
  await staged.phase('choosing');
  await staged.element.updateComplete;
  staged.click('[data-option="wallet"] input');
  await staged.element.updateComplete;
  staged.click('[data-action="pay"]');
  await staged.phase('awaiting_payment');
}

/** Opens another tab, which shows the same order, and begins the purchase anew in it. */
async function beginAnew(world: World): Promise<Stage> {
  const tab = stage(world, sku);
  await tab.phase('awaiting_payment');
  tab.element.restart();
  await tab.phase('choosing');
  return tab;
}

const confirm = (world: World, { order_no }: Order): void =>
  world.sandbox.orders.act(world.sandbox.orders.byNumber(order_no ?? '')!, 'confirm');

describe('a page whose purchase another tab has begun anew', () => {
  afterEach(() => {
    clear();
  });
  const realNow = Date.now;
  afterEach(() => {
    Date.now = realNow;
  });

  for (const [what, other] of Object.entries<(world: World) => Promise<void>>({
    'has no order in the other tab': async () => {},
    'has a pending order in the other tab': async (world) => {
      const tab = await stageAwaiting(world, sku);
      tab.element.remove();
    },
  }))
    it(`replaces its own order, and warns of it, when the purchase ${what}`, async () => {
      const world = createWorld();
      const page = await stageAwaiting(world, sku);
      const first = orderOf(page);
      const tab = await beginAnew(world);
      tab.element.remove();
      await other(world);

      await payAnotherWay(page);
      const second = orderOf(page);
      expect([second.intent_id, second.option]).to.deep.equal([first.intent_id, 'wallet']);
      expect(page.text()).to.include('Please pay only one');
    });

  it('replaces its own order when the browser’s clock steps back', async () => {
    let stepMs = 0;
    Date.now = () => realNow() + stepMs;
    const world = createWorld();
    const page = await stageAwaiting(world, sku);
    const first = orderOf(page);
    stepMs = -300_000;
    await payAnotherWay(page);
    expect(orderOf(page).intent_id).to.equal(first.intent_id);
  });

  it('keeps the attempt of the other tab when the page’s own order is paid', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, sku);
    const first = orderOf(page);
    const tab = await beginAnew(world);
    tab.click('[data-action="pay"]');
    await tab.phase('awaiting_payment');
    const { request_id } = orderOf(tab);
    expect(request_id).not.to.equal(first.request_id);
    confirm(world, first);
    await page.element.checkNow();
    await page.phase('succeeded');
    tab.element.remove();

    const reloaded = stage(world, sku);
    await reloaded.phase('awaiting_payment');
    expect(orderOf(reloaded).request_id).to.equal(request_id);
  });

  it('keeps the attempt of the other tab when a closed order is asked about again', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, sku);
    await world.ask('/v1/close', { intent_id: orderOf(page).intent_id }, bearer);
    await page.element.checkNow();
    await page.phase('closed');
    const tab = await stageAwaiting(world, sku);
    const { request_id } = orderOf(tab);
    await page.element.checkNow();
    tab.element.remove();

    const reloaded = stage(world, sku);
    await reloaded.phase('awaiting_payment');
    expect(orderOf(reloaded).request_id).to.equal(request_id);
  });

  it('finds an order again after the element left the page, when storage fails', async () => {
    const setItem = Storage.prototype.setItem;
    Storage.prototype.setItem = () => {
      throw new Error('full');
    };
    try {
      const world = createWorld();
      const page = await stageAwaiting(world, sku);
      const { request_id } = orderOf(page);
      page.element.remove();
      await until(() => !page.element.isConnected, 'left');
      const again = stage(world, sku);
      await again.phase('awaiting_payment');
      expect(orderOf(again).request_id).to.equal(request_id);
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('shows the new order when another tab has replaced the page’s order', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, sku);
    const first = orderOf(page);
    const tab = stage(world, sku);
    await tab.phase('awaiting_payment');
    await payAnotherWay(tab);
    const { request_id } = orderOf(tab);
    expect(request_id).not.to.equal(first.request_id);
    await until(() => page.element.order?.request_id === request_id, 'the new order');
    await page.phase('awaiting_payment');
  });

  it('starts a new purchase when the page calls restart', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, sku);
    const first = orderOf(page);
    page.element.restart();
    await page.phase('choosing');
    page.element.remove();
    const other = await stageChoosing(world, sku);
    other.click('[data-action="pay"]');
    await other.phase('awaiting_payment');
    expect(orderOf(other).intent_id).not.to.equal(first.intent_id);
  });
});
