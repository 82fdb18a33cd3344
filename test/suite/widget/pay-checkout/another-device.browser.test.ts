/** A link shows its order on another device, but not beside a purchase of another customer. */
import { expect } from '@open-wc/testing';
import { purchaseName } from '../../../../widget/browser/attempts.js';
import { digest } from '../../../../widget/browser/digest.js';
import { createWorld, until, type World } from '../../support/world.js';
import { clear, open, stage, stageAwaiting } from './stage.js';

const address = location.href;

describe('a link to another device', () => {
  afterEach(() => {
    clear();
    history.replaceState(null, '', address);
  });

  /** The link that the customer copies while the order waits; the element then leaves the page. */
  async function copiedLink(world: World): Promise<{ link: URL; qr: string | undefined }> {
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
    });
    const { element, part } = await stageAwaiting(world, open);
    const button = (): HTMLElement | undefined =>
      [...(element.shadowRoot?.querySelectorAll<HTMLElement>('[part="copy"]') ?? [])].find((copy) =>
        copy.textContent?.includes('another device'),
      );
    button()?.click();
    await until(() => copied.length === 1, 'the link');
    Reflect.deleteProperty(navigator, 'clipboard');
    const qr = part('qr')?.querySelector('svg.qr')?.outerHTML;
    clear();
    return { link: new URL(copied[0]!), qr };
  }
  const goTo = (address: URL | string): void => history.replaceState(null, '', address);

  it('shows the same order on the relay’s own page when the link is opened there', async () => {
    const world = createWorld();
    const { link, qr } = await copiedLink(world);
    const [order] = world.sandbox.orders.all();
    expect(link.href.split('~')[0]).to.equal(`${location.origin}/r#${order!.request_id}`);
    goTo(link);
    const there = stage(world, {});
    await there.phase('awaiting_payment');
    expect(there.part('qr')?.querySelector('svg.qr')?.outerHTML).to.equal(qr);
    expect(there.part('amount')?.dataset.amount).to.equal('12.50');
    expect(there.element.shadowRoot?.querySelector('[data-action="choose-again"]')).to.equal(null);
    expect(location.hash).to.equal(link.hash);
    world.sandbox.orders.act(order!, 'confirm');
    await there.phase('succeeded');
    expect(world.pays().length).to.equal(1);
  });

  it('never asks at a link whose order it is, because the link has no other purchase', async () => {
    const world = createWorld();
    const { link } = await copiedLink(world);
    const [request_id = '', order_key = ''] = link.hash.slice(1).split('~');
    const name = purchaseName({ resume: { request_id, order_key } });
    // an earlier visit of this link stored an attempt
    const stored = { attempt: crypto.randomUUID(), at: Date.now() };
    localStorage.setItem(`pay-checkout:${digest(name)}`, JSON.stringify(stored));
    goTo(link);
    const there = stage(world, {});
    await there.phase('awaiting_payment');
    await until(() => there.text().includes('Scan with your banking app'), 'the code');
    expect(there.text()).not.to.include('Not your order?');
  });

  it('ignores a fragment that belongs to the shop', async () => {
    const { link } = await copiedLink(createWorld());
    goTo(`${location.pathname}${link.hash}`);
    const { part, phase } = stage(createWorld(), {});
    await phase('waiting');
    expect([part('amount'), location.hash]).to.deep.equal([null, link.hash]);
  });

  for (const [action, phase] of [
    ['confirm', 'succeeded'],
    ['decline', 'failed'],
    ['expire', 'expired'],
  ] as const)
    it(`removes the key from the address when the order has been shown as ${phase}`, async () => {
      const world = createWorld();
      const { link } = await copiedLink(world);
      goTo(link);
      const there = stage(world, {});
      await there.phase('awaiting_payment');
      world.sandbox.orders.act(world.sandbox.orders.all()[0]!, action);
      await there.phase(phase);
      expect(location.href).to.equal(`${location.origin}/r`);
      // an element moved within the page continues; a new element finds no order
      document.body.prepend(there.element);
      await there.phase(phase);
      clear();
      const { part, phase: reached, text } = stage(world, {});
      await reached('problem');
      expect(part('amount')).to.equal(null);
      expect(text()).to.include('This link does not work');
    });

  const subjects: Record<string, Record<string, string>> = {
    'an open amount': open,
    'a catalogue item': { sku: 'tee' },
    'an order token': { 'order-token': 'not.a.token' },
    'half an amount': { amount: '5' },
    'a deposit': { deposit: 'XRP', 'customer-ref-id': 'c1' },
  };
  for (const [what, attributes] of Object.entries(subjects))
    it(`removes a stranger’s link silently when the page has ${what}`, async () => {
      const world = createWorld();
      const { link, qr } = await copiedLink(world);
      const logged: unknown[] = [];
      const original = console.error;
      console.error = (...words: unknown[]) => void logged.push(words);
      goTo(link);
      const { element, events, part } = stage(world, attributes);
      await until(() => element.phase !== 'loading', 'its own purchase');
      console.error = original;
      expect(location.hash).to.equal('');
      expect(part('qr')?.querySelector('svg.qr')?.outerHTML).not.to.equal(qr);
      expect(events).not.to.include('pay-order');
      expect(JSON.stringify(logged)).not.to.match(/link|resume|~/);
    });

  it('replaces the order of a link without a warning when a purchase is set later', async () => {
    const world = createWorld();
    const { link } = await copiedLink(world);
    goTo(link);
    const { element, phase, text } = stage(world, {});
    await phase('awaiting_payment');
    element.sku = 'tee';
    await phase('choosing');
    expect(location.hash).to.equal('');
    expect(text()).not.to.include('can still be paid');
  });

  const wrongKeys = { wrong: '~c1.wrong', 'too long': `~${'c'.repeat(201)}`, 'cut off': '' };
  for (const [what, key] of Object.entries(wrongKeys))
    it(`says that the link does not work when its key is ${what}`, async () => {
      const world = createWorld();
      const { link } = await copiedLink(world);
      goTo(`${location.origin}/r${link.hash.split('~')[0]}${key}`);
      const help = 'https://leaf.example/help';
      const { element, phase, part, text } = stage(world, { 'support-url': help });
      await phase('problem');
      expect([part('qr'), part('amount')]).to.deep.equal([null, null]);
      expect(text()).to.include('This link does not work');
      expect(text()).to.include('Open the newest message from the shop, or contact the shop.');
      const button = element.shadowRoot?.querySelector('a.primary');
      expect(button?.getAttribute('href')).to.equal(help);
    });

  it('says that the shop knows more when the relay no longer has the order', async () => {
    const keys = { capability_keys: [{ kid: 'k9', secret: { env: 'SECRET' } }] };
    const { link } = await copiedLink(createWorld({ config: keys }));
    goTo(link);
    const { phase, text } = stage(createWorld({ config: keys }), {
      'support-url': 'https://leaf.example',
    });
    await phase('problem');
    expect(text())
      .to.include('Order not found')
      .and.to.include('The shop knows whether it is paid');
  });
});
