/** The component and the hook of `pay-checkout/react`, with a relay and a sandbox in the tab. */
import { expect } from '@open-wc/testing';
import { createElement, StrictMode, useEffect, type ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { IntentRequest } from '../../../../relay/contract/requests.js';
import '../../../../widget/define.js';
import type { PayCheckout as Element } from '../../../../widget/pay-checkout.js';
import { PayCheckout, useCheckout, type UseCheckout } from '../../../../widget/react/index.js';
import { createWorld, until } from '../../support/world.js';
import { fetchOf } from './relay-fetch.js';
import { clear } from './stage.js';

const sale = { amount: '12.50', currency: 'USD', productName: 'A tree', relay: location.origin };
const tag = (): Element | null => document.querySelector('pay-checkout');

describe('the React component', () => {
  let root: Root | null = null;
  let container: HTMLElement;
  beforeEach(() => {
    container = document.createElement('div');
    document.body.append(container);
  });
  afterEach(() => {
    root?.unmount();
    root = null;
    container.remove();
    clear();
  });

  it('sets attributes and properties, and calls each current handler once', async () => {
    const world = createWorld();
    const calls: string[] = [];
    const shop = (name: string): ReactNode =>
      createElement(
        StrictMode,
        null,
        createElement(PayCheckout, {
          ...sale,
          fetch: fetchOf(world),
          customer: { email: 'a@shop.example' },
          tagGate: false,
          className: name,
          onPayOrder: (event) => calls.push(`${name} ${event.type} ${event.order.amount}`),
          onPaySucceeded: (event) => calls.push(`${name} ${event.type} ${event.order.outcome}`),
        }),
      );
    root = createRoot(container);
    root.render(shop('first'));
    await until(() => tag()?.phase === 'choosing', 'choosing');
    expect(tag()?.getAttribute('product-name')).to.equal('A tree');
    expect(tag()?.className).to.equal('first');
    expect(tag()?.hasAttribute('tag-gate')).to.equal(false);
    expect(tag()?.customer).to.deep.equal({ email: 'a@shop.example' });
    tag()?.shadowRoot?.querySelector<HTMLElement>('[data-action="pay"]')?.click();
    await until(() => calls.length === 1, 'the order');
    root.render(shop('second'));
    await until(() => tag()?.className === 'second', 'the second render');
    await until(() => tag()?.phase === 'awaiting_payment', 'the code');
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await until(() => calls.length === 2, 'the success');
    expect(calls).to.deep.equal(['first pay-order 12.50', 'second pay-succeeded succeeded']);
  });

  it('forgets the data of a customer who has logged out', async () => {
    const world = createWorld();
    const shop = (more: object): ReactNode =>
      createElement(PayCheckout, { ...sale, fetch: fetchOf(world), option: 'asks', ...more });
    root = createRoot(container);
    root.render(shop({ customer: { phone: '+7 900 000-00-00' } }));
    const phone = (): string | undefined =>
      tag()?.shadowRoot?.querySelector<HTMLInputElement>('[name="phone"]')?.value;
    await until(() => phone() === '+7 900 000-00-00', 'the form');
    root.render(shop({}));
    await until(() => phone() === '', 'the empty form');
    expect(tag()?.customer).to.deep.equal({});
  });

  it('sends what the customer typed after the parent renders equal data anew', async () => {
    const world = createWorld();
    const shop = (name: string): ReactNode =>
      createElement(PayCheckout, {
        ...sale,
        fetch: fetchOf(world),
        option: 'asks',
        className: name,
        customer: { email: 'a@shop.example', phone: '+7 900 000-00-00' },
      });
    root = createRoot(container);
    root.render(shop('first'));
    const find = <T extends HTMLElement>(selector: string): T | null | undefined =>
      tag()?.shadowRoot?.querySelector<T>(selector);
    await until(() => find('[name="phone"]') != null, 'the form');
    const phone = find<HTMLInputElement>('[name="phone"]')!;
    expect(phone.value).to.equal('+7 900 000-00-00');
    phone.value = '+7 900 111-11-11';
    phone.dispatchEvent(new Event('input'));
    root.render(shop('second'));
    await until(() => tag()?.className === 'second', 'the second render');
    await tag()?.updateComplete;
    expect(phone.value).to.equal('+7 900 111-11-11');
    find('[data-action="pay"]')?.click();
    await until(() => tag()?.phase === 'awaiting_payment', 'the order');
    expect(world.pays()[0]?.customer).to.equal('{"phone":"+79001111111"}');
  });

  it('hydrates a rendered page without a warning, and replays earlier events', async () => {
    const world = createWorld();
    // the HTML of a server; the relay's script has upgraded it, and the customer has paid
    container.innerHTML =
      '<pay-checkout amount="12.50" currency="USD" product-name="A tree" relay="' +
      `${location.origin}"></pay-checkout>`;
    const early = tag();
    early!.fetch = fetchOf(world);
    await until(() => early?.phase === 'choosing' || early?.phase === 'problem', 'an answer');
    early?.restart();
    await until(() => early?.phase === 'choosing', 'choosing');
    early?.shadowRoot?.querySelector<HTMLElement>('[data-action="pay"]')?.click();
    await until(() => early?.phase === 'awaiting_payment', 'the code');
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await until(() => early?.phase === 'succeeded', 'the success');
    const errors: unknown[] = [];
    const { error } = console;
    console.error = (...what: unknown[]) => errors.push(what);
    const calls: string[] = [];
    root = hydrateRoot(
      container,
      createElement(
        StrictMode,
        null,
        createElement(PayCheckout, {
          ...sale,
          onPayOrder: ({ type, target }) => calls.push(`${type} ${target === early}`),
          onPaySucceeded: ({ type, order }) => calls.push(`${type} ${order.amount}`),
        }),
      ),
      { onRecoverableError: (what) => errors.push(what) },
    );
    await until(() => calls.length === 2, 'both events');
    console.error = error;
    expect(calls).to.deep.equal(['pay-order true', 'pay-succeeded 12.50']);
    expect(errors).to.deep.equal([]);
    expect(tag()).to.equal(early);
  });

  it('waits without a problem until the page sets a purchase', async () => {
    const world = createWorld();
    const problems: string[] = [];
    const shop = (more: object): ReactNode =>
      createElement(PayCheckout, {
        relay: location.origin,
        fetch: fetchOf(world),
        onPayProblem: ({ code }) => problems.push(code),
        ...more,
      });
    root = createRoot(container);
    root.render(shop({}));
    await until(() => tag()?.phase === 'waiting', 'waiting');
    root.render(shop(sale));
    await until(() => tag()?.phase === 'choosing', 'choosing');
    expect(problems).to.deep.equal([]);
  });

  it('useCheckout asks once when the page gives it an inline function', async () => {
    const world = createWorld();
    const asked: string[] = [];
    const intent = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
    const seen: UseCheckout[] = [];
    const rendered = new Set<string>();
    const Page = ({ name }: { name: string }): null => {
      rendered.add(name);
      const fetch = (url: string, init: RequestInit): Promise<Response> => {
        asked.push(`${name} ${new URL(url).pathname}`);
        return fetchOf(world)(url, init);
      };
      seen.push(useCheckout({ relay: '/', subject: { intent }, fetch }));
      return null;
    };
    root = createRoot(container);
    root.render(createElement(Page, { name: 'first' }));
    await until(() => seen.at(-1)?.state.phase === 'choosing', 'choosing');
    root.render(createElement(Page, { name: 'second' }));
    await until(() => rendered.has('second'), 'another render');
    seen.at(-1)?.choose('qr');
    await until(() => seen.at(-1)?.state.phase === 'awaiting_payment', 'the code');
    expect(asked.slice(0, 2)).to.deep.equal(['first /v1/checkout', 'second /v1/pay']);
    expect(seen.at(-1)?.blind).to.equal(false);
  });

  it('useCheckout returns each state of a purchase to a page that renders it itself', async () => {
    const world = createWorld();
    const seen: UseCheckout[] = [];
    const fetch = fetchOf(world);
    const intent = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
    const Page = ({ known }: { known: boolean }): null => {
      seen.push(useCheckout({ relay: '/', subject: known ? { intent } : null, fetch }));
      return null;
    };
    const phase = (): string | undefined => seen.at(-1)?.state.phase;
    root = createRoot(container);
    root.render(createElement(StrictMode, null, createElement(Page, { known: false })));
    await until(() => phase() === 'waiting', 'waiting');
    root.render(createElement(StrictMode, null, createElement(Page, { known: true })));
    await until(() => phase() === 'choosing', 'choosing');
    seen.at(-1)?.choose('qr');
    await until(() => phase() === 'awaiting_payment', 'the code');
    expect(world.pays().length).to.equal(1);
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await until(() => phase() === 'succeeded', 'the success');
  });

  it('useCheckout keeps what is paid until restart() or another subject', async () => {
    const world = createWorld();
    const seen: UseCheckout[] = [];
    const fetch = fetchOf(world);
    const rendered = new Set<string>();
    const Page = ({ name, intent }: { name: string; intent: IntentRequest | null }): null => {
      useEffect(() => void rendered.add(name));
      seen.push(useCheckout({ relay: '/', subject: intent && { intent }, fetch }));
      return null;
    };
    const phase = (): string | undefined => seen.at(-1)?.state.phase;
    root = createRoot(container);
    const render = async (name: string, intent: IntentRequest | null): Promise<void> => {
      root!.render(createElement(Page, { name, intent }));
      await until(() => rendered.has(name), name);
    };
    const tee = { sku: 'tee' };
    await render('at first', tee);
    await until(() => phase() === 'choosing', 'choosing');
    seen.at(-1)?.choose('qr');
    await until(() => phase() === 'awaiting_payment', 'the code');
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await until(() => phase() === 'succeeded', 'the success');
    const count = seen.length;
    await render('with a return_url', { ...tee, return_url: 'https://shop.example/thanks' });
    await render('without a subject', null);
    await render('again', tee);
    const phases = seen.slice(count).map(({ state }) => state.phase);
    expect(new Set(phases)).to.deep.equal(new Set(['succeeded']));
    seen.at(-1)?.restart();
    await until(() => phase() === 'choosing', 'the same once more');
    await render('without a subject, not paid', null);
    await until(() => phase() === 'waiting', 'waiting');
  });
});
