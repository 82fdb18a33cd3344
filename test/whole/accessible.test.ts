/** Every phase passes axe, in both themes. */
import { expect } from '@open-wc/testing';
import { createWorld } from '../world.js';
import { clear, open, stage } from './stage.js';

describe('accessible', () => {
  afterEach(clear);

  for (const theme of ['light', 'dark']) {
    it(`choosing, awaiting, ended and paid in ${theme}`, async () => {
      const world = createWorld();
      const { click, element, phase } = stage(world, { ...open, theme });
      element.style.setProperty('background', theme === 'dark' ? '#000' : '#fff');
      await phase('choosing');
      await expect(element).to.be.accessible();
      click('[data-action="pay"]');
      await phase('awaiting_payment');
      await expect(element).to.be.accessible();
      const [order] = world.sandbox.orders.all();
      world.sandbox.orders.act(order!, 'decline');
      await phase('failed');
      await expect(element).to.be.accessible();
      world.sandbox.orders.act(order!, 'pay_late');
      await phase('succeeded');
      await expect(element).to.be.accessible();
    }).timeout(20_000);

    it(`a link, review, a deposit address and a problem in ${theme}`, async () => {
      const world = createWorld();
      const linked = stage(world, { ...open, theme, option: 'card' });
      await linked.phase('choosing');
      linked.click('[data-action="pay"]');
      await linked.phase('awaiting_payment');
      await expect(linked.element).to.be.accessible();
      clear();
      world.sandbox.faults.add({ operation: 'pay', fault: 'two_links' });
      const reviewed = stage(world, { ...open, theme });
      await reviewed.phase('choosing');
      reviewed.click('[data-action="pay"]');
      await reviewed.phase('review');
      await expect(reviewed.element).to.be.accessible();
      clear();
      const deposit = stage(world, { deposit: 'XRP', 'customer-ref-id': 'c1', theme });
      await deposit.phase('showing_deposit_address');
      await expect(deposit.element).to.be.accessible();
      clear();
      const problem = stage(world, { 'order-token': 'bad', theme });
      await problem.phase('problem');
      await expect(problem.element).to.be.accessible();
    }).timeout(20_000);
  }
});
