/** After a link was opened, the customer is asked first, and opens it again second. */
import { expect } from '@open-wc/testing';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { openedLink } from '../../../../widget/browser/storage.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { until } from '../../support/world.js';
import { clear, stageState } from './stage.js';

const find = (element: PayCheckout, selector: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);

/** What the customer sees after a reload, in the tab in which a link was opened. */
async function reloaded(state: ShownState): Promise<PayCheckout> {
  const first = await stageState(state);
  openedLink(first.order!.request_id).write();
  first.remove();
  const element = await stageState(state);
  await until(() => find(element, '.primary') !== null, 'a primary action');
  return element;
}

describe('after a link was opened', () => {
  afterEach(clear);

  for (const name of ['awaiting open_page', 'awaiting open_wallet'])
    it(`“I’ve paid” is the primary action after a reload of ${name}`, async () => {
      const element = await reloaded(states[name]!);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      expect(find(element, '[part="link"]')?.className).to.equal('quiet');
      expect(find(element, '.base')?.textContent).to.include('Your payment may be under way');
    });
});

describe('an order whose answer was lost', () => {
  afterEach(clear);

  for (const option of ['bank', 'card'])
    it(`says that there is no link for ${option}`, async () => {
      const lost = states['the code was lost']!;
      const answer: ShownState['answer'] = (now) =>
        JSON.parse(
          JSON.stringify(lost.answer(now)).replaceAll('"option":"sbp"', `"option":"${option}"`),
        ) as ReturnType<ShownState['answer']>;
      const element = await stageState({ ...lost, answer });
      expect(element.order?.option).to.equal(option);
      expect(find(element, '.primary')?.dataset.action).to.equal('choose-again');
      expect(find(element, '.base')?.textContent).to.not.include('There is nothing to do');
    });
});

describe('the warnings of a deposit', () => {
  afterEach(clear);

  it('leave no comma alone after a name', async () => {
    const element = await stageState(states.showing_deposit_address);
    const names = element.shadowRoot!.querySelectorAll('.note bdi');
    expect(names.length).to.be.above(1);
    for (const name of names) expect(getComputedStyle(name).display).to.equal('inline');
  });
});
