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
    expect(root.textContent).to.include('12.50 USD');
    click('Pay in another way');
    await untilText('QR code');
    click('Back to your payment');
    await untilText('Continue to the payment page');
    click('Pay in another way');
    await untilText('QR code');
    click('QR code');
    await untilText('Pay this code with your banking app');
    expect(root.textContent).to.include('An earlier order may still be paid');
    checkout.stop();
  });

  it('sends the contact data of an option, and asks again for what cannot be used', async () => {
    const world = createWorld();
    connect(world);
    const checkout = openCheckout(location.origin, await newToken(), root);
    await untilText('Asks for a phone');
    const phone = (): HTMLInputElement => root.querySelector('[name="phone"]')!;
    phone().value = 'none';
    click('Asks for a phone');
    await untilText('Please correct: phone');
    expect(phone().value).to.equal('none');
    phone().value = '+7 900 000-00-00';
    click('Asks for a phone');
    await untilText('Continue to the payment page');
    expect(JSON.stringify(world.pays()[0])).to.include('+79000000000');
    checkout.stop();
  });

  it('keeps what is typed beside a mistake, also while an earlier order changes', async () => {
    const [qr] = testConfig.options ?? [];
    const asks = { id: 'asks', label: 'Asks', payment_method: 'on_line' } as const;
    const world = createWorld({
      config: { options: [qr!, { ...asks, customer: ['email', 'phone'] }] },
    });
    connect(world);
    const checkout = openCheckout(location.origin, await newToken(), root);
    await untilText('QR code');
    click('QR code');
    await untilText('Pay this code with your banking app');
    click('Pay in another way');
    await untilText('Asks');
    const field = (name: string): HTMLInputElement => root.querySelector(`[name="${name}"]`)!;
    field('email').value = 'ada@shop.example';
    field('phone').value = 'none';
    click('Asks');
    await untilText('Please correct: phone');
    expect(field('email').value).to.equal('ada@shop.example');
    const phone = field('phone');
    phone.value = '+7 900';
    const { fetch } = world.relay;
    let queries = 0;
    world.relay.fetch = (request) => {
      if (request.url.endsWith('/v1/query')) queries++;
      return fetch(request);
    };
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'decline');
    await until(() => queries > 0, 'the query after the answer about the earlier order');
    expect(field('phone')).to.equal(phone);
    checkout.stop();
  });

  it('removes a code when its time is over, without an answer', async () => {
    const [qr] = testConfig.options ?? [];
    const world = createWorld({ config: { options: [{ ...qr!, expires_after_s: 1 }] } });
    connect(world);
    const checkout = openCheckout(location.origin, await newToken(), root);
    await untilText('QR code');
    const { fetch } = world.relay;
    world.relay.fetch = async (request) =>
      request.url.endsWith('/v1/query') ? new Promise(() => {}) : fetch(request);
    click('QR code');
    await untilText('The time to pay is over');
    expect(root.textContent).not.to.include('Pay this code');
    checkout.stop();
  });

  for (const address of ['javascript:alert(1)', 'javascript://localhost/%0aalert(1)'])
    it(`makes no link of ${address}, which no browser should open`, async () => {
      const world = createWorld();
      const { fetch } = world.relay;
      world.relay.fetch = async (request) => {
        const response = await fetch(request);
        const text = await response.text();
        const body = text.replace(/"https:[^"]*\/checkout\/[^"]*"/, `"${address}"`);
        return new Response(body, { status: response.status });
      };
      connect(world);
      const checkout = openCheckout(location.origin, await newToken(), root);
      await untilText('Card');
      click('Card');
      await untilText('This link is not safe');
      expect(root.querySelector('a')).to.equal(null);
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
