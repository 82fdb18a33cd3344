/** The guide's view on the headless checkout: a customer pays in it. */
import { expect } from '@open-wc/testing';
import { openCheckout } from '../../../../docs/guides/own-view.js';
import { signOrderToken } from '../../../../widget/shop/index.js';
import { createWorld, SECRETS, testConfig, until, type World } from '../../support/world.js';

const pageFetch = globalThis.fetch;

/** Lets the page reach the relay, which runs in the same tab. */
function connect({ relay }: World): void {
  globalThis.fetch = (input, init) =>
    typeof input === 'string' && input.startsWith(`${location.origin}/v1/`)
      ? relay.fetch(new Request(input, init))
      : pageFetch(input, init);
}

const newToken = (): Promise<string> =>
  signOrderToken(
    {
      aud: testConfig.public_url,
      jti: `order-${crypto.randomUUID()}`,
      amount: '12.50',
      currency: 'USD',
      product_name: 'Tea',
      customer_ref_id: 'c1',
    },
    { kid: 'k1', secret: SECRETS.TOKEN ?? '' },
  );

describe('a view of your own', () => {
  let root: HTMLElement;
  beforeEach(() => {
    root = document.body.appendChild(document.createElement('main'));
  });
  afterEach(() => {
    root.remove();
    globalThis.fetch = pageFetch;
  });
  const untilText = (part: string): Promise<void> =>
    until(() => root.textContent.includes(part), `${part}, but reads ${root.textContent}`);
  const click = (label: string): void =>
    [...root.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click();

  it('finds the same order after a reload, and thanks when it is paid', async () => {
    const world = createWorld();
    connect(world);
    const token = await newToken();
    const first = openCheckout(location.origin, token, root);
    await untilText('QR code');
    click('QR code');
    await untilText('Pay this code with your banking app');
    const shown = root.textContent;
    first.stop();

    const second = openCheckout(location.origin, token, root);
    await untilText('Pay this code with your banking app');
    expect(root.textContent).to.equal(shown);
    expect(world.pays().length).to.equal(1);
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    click('I have paid');
    await untilText('Thank you');
    second.stop();
  });

  it('offers the other ways to pay when the customer wants another one', async () => {
    connect(createWorld());
    const checkout = openCheckout(location.origin, await newToken(), root);
    await untilText('Card');
    click('Card');
    await untilText('Continue to the payment page');
    expect(root.querySelector('a')?.rel).to.equal('noopener noreferrer');
    click('Pay in another way');
    await untilText('QR code');
    checkout.stop();
  });

  it('names the problem, and tries again, when the relay refuses the token', async () => {
    connect(createWorld());
    const checkout = openCheckout(location.origin, 'no-token', root);
    await untilText('token_invalid');
    click('Try again');
    await untilText('token_invalid');
    checkout.stop();
  });
});
