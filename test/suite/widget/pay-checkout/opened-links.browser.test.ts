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

  for (const [option, action, isRegistered] of [
    ['bank', 'choose-again', false],
    // the document does not say what the service returns for it: there may be no link
    ['card', undefined, true],
  ] as const)
    it(`${isRegistered ? 'may need no link' : 'needs one'} for ${option}`, async () => {
      const lost = states['the code was lost']!;
      const answer: ShownState['answer'] = (now) =>
        JSON.parse(
          JSON.stringify(lost.answer(now)).replaceAll('"option":"sbp"', `"option":"${option}"`),
        ) as ReturnType<ShownState['answer']>;
      const element = await stageState({ ...lost, answer });
      expect(element.order?.option).to.equal(option);
      expect(find(element, '.primary')?.dataset.action).to.equal(action);
      const text = find(element, '.base')?.textContent ?? '';
      expect(text.includes('There is nothing to do')).to.equal(isRegistered);
    });
});
