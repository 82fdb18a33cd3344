/**
 * The element after the end of an order: it shows the reference to quote, the receipt, and links to
 * the shop.
 */
import { expect } from '@open-wc/testing';
import { instant, sampleOrder, checkoutAnswer } from '../../../../demo/sample-answers.js';
import { states } from '../../../../demo/element-states.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { until } from '../../support/world.js';
import { clear, stageState } from './stage.js';

const find = (element: PayCheckout, selector: string): HTMLElement | null =>
  element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
const textOf = (element: PayCheckout, selector = '.base'): string =>
  find(element, selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const REQUEST_ID = sampleOrder(0, {}).request_id;

describe('the reference of an order in review or with an unmapped status', () => {
  afterEach(clear);

  for (const name of ['review', 'unmapped'])
    it(`shows a reference in groups and copies it whole with one tap in ${name}`, async () => {
      const element = await stageState(states[name]);
      const value = find(element, '[part~="reference"]');
      expect(value?.textContent?.trim()).to.equal(REQUEST_ID);
      const groups = [...(value?.querySelectorAll('.group') ?? [])];
      expect(Math.max(...groups.map((group) => group.textContent?.length ?? 0))).to.equal(4);
      const copied: string[] = [];
      const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
      Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
      const button = find(element, '[part~="reference"] + [part~="copy"]');
      expect(button?.getAttribute('aria-label')).to.equal('Copy: Reference');
      button?.click();
      await until(() => button?.textContent === 'Copied', 'the result');
      Reflect.deleteProperty(navigator, 'clipboard');
      expect(copied).to.deep.equal([REQUEST_ID]);
    });
});

describe('a deposit that the shop has seen', () => {
  afterEach(clear);

  it('asks for no payment, and shows the address only in the folded details', async () => {
    const element = await stageState(states['a deposit received'], {
      'return-url': `${location.origin}/account`,
    });
    expect(textOf(element, 'h2')).to.equal('Deposit received');
    expect(textOf(element, '[role="status"]')).to.equal('Deposit received');
    expect(textOf(element)).not.to.match(/Send only|Open in wallet|cannot see/);
    expect(find(element, 'svg.sign.good')).not.to.equal(null);
    expect(find(element, '.primary')?.getAttribute('href')).to.equal(`${location.origin}/account`);
    expect(find(element, 'details.more [part~="address"]')).not.to.equal(null);
  });
});

describe('a receipt', () => {
  afterEach(clear);

  it('shows date and time once, the numbers of the order, and where the shop is', async () => {
    const element = await stageState({
      phase: 'succeeded',
      answer: (now) =>
        checkoutAnswer(
          { support_url: 'https://shop.example/help' },
          sampleOrder(now, {
            outcome: 'succeeded',
            status: 20,
            checked_at: instant(Date.parse('2025-03-09T12:34:00Z')),
          }),
        ),
    });
    expect(textOf(element)).to.include('Order 2041').and.to.include('P20261121000042');
    expect(textOf(element, '.base').match(/Mar 9, 2025/g)).to.have.length(1);
    expect(textOf(element, '.base').match(/\d:34/g)).to.have.length(1);
    expect(textOf(element, '.printed')).to.equal('https://shop.example/help');
  });
});

describe('an order that the shop closed', () => {
  afterEach(clear);

  it('links a closed order to the shop’s help, and back to the shop', async () => {
    const element = await stageState(states.closed);
    const links = [...(element.shadowRoot?.querySelectorAll('a') ?? [])];
    expect(links.map((link) => link.textContent?.trim())).to.deep.equal([
      'Contact the shop',
      'Back to the shop',
    ]);
  });
});
