/**
 * The element after the end of an order: it shows the reference to quote, the receipt, and links to
 * the shop.
 */
import { expect } from '@open-wc/testing';
import {
  checkoutAnswer,
  instant,
  OPTIONS,
  sampleOrder,
  UNANSWERED,
} from '../../../../demo/sample-answers.js';
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

describe('the time to pay', () => {
  const { now: realNow } = Date;
  afterEach(() => {
    Date.now = realNow;
    clear();
  });

  it('has passed while the customer looked at the other ways to pay', async () => {
    const element = await stageState({
      phase: 'awaiting_payment',
      answer: (now) => checkoutAnswer({}, sampleOrder(now, { expires_at: instant(now + 900_000) })),
    });
    const left = (): number => Number(find(element, '.countdown')?.dataset.seconds);
    expect(left()).to.be.within(895, 900);
    find(element, '[data-action="choose-again"]')?.click();
    await until(() => find(element, '[data-action="back"]') !== null, 'the other ways');
    Date.now = () => realNow() + 300_000;
    find(element, '[data-action="back"]')?.click();
    await until(() => find(element, '.countdown') !== null, 'the order');
    expect(left()).to.be.within(590, 600);
  });
});

describe('an order that is being confirmed', () => {
  afterEach(clear);

  for (const [when, payment_type, isLong] of [
    ['its answer is lost', undefined, false],
    ['its code is lost', 'qrcode', true],
  ] as const)
    it(`has no clock that stands still once its time is over and ${when}`, async () => {
      const option = { ...OPTIONS[0]!, payment_type };
      const element = await stageState({
        phase: 'confirming',
        answer: (now) =>
          checkoutAnswer(
            { options: [option] },
            sampleOrder(now, {
              ...UNANSWERED,
              created_at: instant(now - (isLong ? 90_000 : 30_000)),
              expires_at: instant(now - 1000),
            }),
          ),
      });
      expect(textOf(element)).not.to.include('00:00');
    });
});

describe('a deposit that the shop has seen', () => {
  afterEach(clear);

  it('is still received when the page puts the element back', async () => {
    const element = await stageState(states['a deposit received']);
    element.remove();
    await until(() => !element.isConnected, 'left');
    document.body.append(element);
    await element.updateComplete;
    expect(textOf(element, 'h2')).to.equal('Deposit received');
  });

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

describe('an order on a page that offers no way to pay', () => {
  afterEach(clear);

  for (const [name, phase, changes] of [
    ['failed', 'failed', { outcome: 'failed', status: 30 }],
    ['expired', 'expired', { outcome: 'expired', status: 40 }],
    ['without a code', 'awaiting_payment', { next_action: { kind: 'wait' } }],
    ['unanswered', 'confirming', { ...UNANSWERED, created_at: '2020-01-01T00:00:00Z' }],
  ] as const)
    it(`leads to the shop when it is ${name}, and promises no other way`, async () => {
      const element = await stageState({
        phase,
        answer: (now) =>
          checkoutAnswer(
            { options: [], order_option: OPTIONS[0] },
            sampleOrder(now, { option: 'sbp', ...changes }),
          ),
      });
      expect(textOf(element, '.primary')).to.equal('Contact the shop');
      expect(textOf(element)).to.include('If you have already paid');
      expect(textOf(element)).not.to.match(/choose|another way/i);
    });

  it('promises no other way where there is nothing to do', async () => {
    const element = await stageState({
      phase: 'awaiting_payment',
      answer: (now) =>
        checkoutAnswer({ options: [] }, sampleOrder(now, { next_action: { kind: 'wait' } })),
    });
    expect(textOf(element, 'h2')).to.equal('Your order is registered');
    expect(textOf(element)).not.to.match(/choose|another way/i);
  });
});

describe('a payment page in the same window', () => {
  afterEach(clear);

  for (const [return_url, leadsBack] of [
    ['https://shop.example/thank-you', true],
    [undefined, false],
  ] as const)
    it(`${leadsBack ? 'promises' : 'does not promise'} to lead back to ${return_url}`, async () => {
      const next_action = { kind: 'open_page', checkout_url: 'https://bank.example/1' } as const;
      const element = await stageState(
        {
          phase: 'awaiting_payment',
          answer: (now) => checkoutAnswer({ return_url }, sampleOrder(now, { next_action })),
        },
        { 'open-in': 'same-tab' },
      );
      expect(textOf(element).includes('leads you back')).to.equal(leadsBack);
    });
});

describe('the receipt', () => {
  afterEach(clear);

  it('has the time of the payment, also after a later answer of the service', async () => {
    const element = await stageState({
      phase: 'succeeded',
      answer: (now) =>
        checkoutAnswer(
          {},
          sampleOrder(now, {
            outcome: 'succeeded',
            next_action: null,
            paid_at: '2026-03-04T12:00:00.000Z',
            checked_at: '2026-05-06T12:00:00.000Z',
          }),
        ),
    });
    expect(textOf(element)).to.include('Mar 4, 2026').and.not.include('May');
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
