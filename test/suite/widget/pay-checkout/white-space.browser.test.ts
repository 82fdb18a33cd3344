/** White space around a value, as a template writes it, changes nothing. */
import { expect } from '@open-wc/testing';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { createWorld, until } from '../../support/world.js';
import { clear, open, stage, stageChoosing } from './stage.js';

const SUBJECTS: Record<string, string>[] = [
  { 'order-token': 'a.b.c', 'return-url': 'https://shop.example/thanks' },
  { sku: 'tee', quantity: '2', 'customer-ref-id': 'c-42' },
  {
    amount: '5',
    currency: 'USD',
    'pay-currency': 'USDT',
    'product-name': 'A tree',
    remark: 'an oak',
    'customer-ref-id': 'c-42',
    'return-url': 'https://shop.example/thanks',
  },
  { deposit: 'BTC', 'deposit-token': 'a.b.c' },
];

/** How the element looks and behaves. */
const LOOK = { locale: 'de', option: 'card', theme: 'dark', display: 'modal', name: 'payment' };

const spaced = (value: string): string => `\n  ${value} \u00A0\n`;

const spacedAll = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, spaced(value)]));

/** The first request of an element for a purchase. */
async function firstRequest(attributes: Record<string, string>): Promise<string> {
  const element = document.createElement('pay-checkout');
  let request = '';
  element.fetch = (url, init) => {
    request = `${url} ${String(init.body)}`;
    return new Promise(() => {});
  };
  const all = { relay: location.origin, ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  document.body.append(element);
  await until(() => request !== '', 'a request');
  element.remove();
  return request;
}

const shown = (element: PayCheckout): unknown[] => {
  const base = element.shadowRoot?.querySelector('.base');
  return [
    base?.getAttribute('lang'),
    element.shadowRoot?.querySelector<HTMLInputElement>(':checked')?.value,
    getComputedStyle(element).colorScheme,
    element.shadowRoot?.querySelector('dialog.modal') !== null,
    getComputedStyle(element).minInlineSize,
    element.getAttribute('name'),
  ];
};

describe('white space around a value', () => {
  afterEach(clear);

  for (const [index, subject] of SUBJECTS.entries())
    it(`changes nothing in the request of subject ${index + 1}`, async () => {
      expect(await firstRequest(spacedAll(subject))).to.equal(await firstRequest(subject));
    });

  it('alone is no value', async () => {
    const { phase } = stage(createWorld(), { 'order-token': ' \n' });
    await phase('waiting');
  });

  for (const how of ['attribute', 'property'] as const)
    it(`changes nothing of how the element looks, in each ${how}`, async () => {
      const { element } = await stageChoosing(createWorld(), {
        ...open,
        ...(how === 'attribute' ? spacedAll(LOOK) : {}),
      });
      if (how === 'property') Object.assign(element, spacedAll(LOOK));
      await until(
        () => element.shadowRoot?.querySelector('.base')?.getAttribute('lang') === 'de',
        'German',
      );
      // The style sheet reads the attribute.
      const least = how === 'attribute' ? '0px' : '240px';
      expect(shown(element)).to.deep.equal(['de', 'card', 'dark', true, least, 'payment']);
    });
});
