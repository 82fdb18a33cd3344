/**
 * The element on one page that holds everything at once: markup and prototypes that want another
 * relay, answers that want to run something, a stranger's link, an earlier customer's traces.
 */
import { expect } from '@open-wc/testing';
import { createWorld, openIntent, until, type World } from '../world.js';
import { states } from '../states.js';
import { open } from './stage.js';
import type { PayCheckout } from '../../widget/pay-checkout.js';

type Answer = { status: number; body: unknown };
type Hostile = {
  element: PayCheckout;
  page: Window;
  asked: string[];
  find(selector: string): HTMLElement | null;
  text(): string;
  phase(phase: string): Promise<void>;
};

const PAGE = '/test/whole/hostile-page.html';

/** An element on the hostile page, whose relay is `world`, or answers what `answer` says. */
async function visit(
  attributes: Record<string, string>,
  {
    answer,
    hash = '',
    path = PAGE,
    world = createWorld(),
  }: {
    answer?: (path: string) => unknown;
    hash?: string;
    path?: string;
    world?: World;
  } = {},
): Promise<Hostile> {
  const asked: string[] = [];
  const relay = `${location.origin}/relay`;
  const answerOf = async (url: string, body: string): Promise<Answer> => {
    asked.push(url);
    const own = answer?.(url.slice(relay.length));
    if (own !== undefined) return { status: 200, body: own };
    const response = await world.relay.fetch(
      new Request(url.replace(relay, location.origin), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  Object.assign(window, { answerOf });
  const frame = document.createElement('iframe');
  frame.src = PAGE;
  frame.width = '600';
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  const page = frame.contentWindow;
  if (!page) throw new Error('no page');
  await page.customElements.whenDefined('pay-checkout');
  page.history.replaceState(null, '', `${location.origin}${path}${hash}`);
  const element = page.document.createElement('pay-checkout');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  page.document.querySelector('#around')?.append(element);
  return {
    element,
    page,
    asked,
    find: (selector) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null,
    text: () => element.shadowRoot?.querySelector('.base')?.textContent ?? '',
    phase: (phase) => until(() => element.phase === phase, `${phase}, is ${element.phase}`),
  };
}

type Body = { body: { checkout: object; order: object } };

/** The relay's answer: an order that waits for `next_action`, and schemes that links may have. */
const waiting =
  (next_action: object, ...link_schemes: string[]) =>
  (path: string): unknown => {
    const { body } = states.awaiting_payment!.answer(Date.now()) as Body;
    const order = { ...body.order, next_action };
    if (path === '/v1/query') return new Promise(() => {});
    return { ...body, checkout: { ...body.checkout, link_schemes }, order };
  };

describe('on a hostile page', () => {
  afterEach(() => {
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
    localStorage.clear();
  });

  it('asks the relay of its own tag, whatever markup and prototypes of the page name', async () => {
    const { asked, element, phase } = await visit({ ...open, display: 'modal' });
    await phase('choosing');
    element.show();
    element.close();
    expect(asked).to.deep.equal([`${location.origin}/relay/v1/checkout`]);
  });

  it('takes a relative relay for the page’s own, though a base element names another', async () => {
    const { asked, phase } = await visit({ ...open, relay: '/relay' });
    await phase('choosing');
    expect(asked).to.deep.equal([`${location.origin}/relay/v1/checkout`]);
  });

  it('opens nothing that runs or reads something, whatever schemes the answer allows', async () => {
    const schemes = ['javascript', 'data', 'vbscript', 'blob', 'file', 'intent', 'view-source'];
    for (const scheme of schemes) {
      const answer = waiting({ kind: 'open_wallet', wallet_url: `${scheme}:parent.hit()` }, scheme);
      const { find, phase } = await visit(open, { answer });
      await phase('awaiting_payment');
      expect(find('a[href], [part~="link-qr"]') === null, scheme).to.equal(true);
    }
    const wallet = waiting({ kind: 'open_wallet', wallet_url: 'sberpay://x' }, 'sberpay');
    const honest = await visit(open, { answer: wallet });
    await honest.phase('awaiting_payment');
    await until(() => honest.find('[part="link"]') !== null, 'an honest link');
  });

  it('gives a deposit no link but a payment URI that the relay builds', async () => {
    for (const [uri, link] of [
      ['javascript:parent.hit()', null],
      [undefined, null],
      ['ripple:r1?dt=0', 'ripple:r1?dt=0'],
    ] as const) {
      const deposit = { currency: 'XRP', address: 'r1', tag: '0', uri };
      const answer = (): unknown => ({ deposit_address: deposit });
      const attributes = { deposit: 'XRP', 'customer-ref-id': 'c1' };
      const { find, phase } = await visit(attributes, { answer });
      await phase('showing_deposit_address');
      await until(() => find('[part="address"]') !== null, 'the address');
      expect(find('a[href]')?.getAttribute('href') ?? null).to.equal(link);
      expect(find('[data-code="uri"]') === null).to.equal(link === null);
    }
  });

  it('speaks English for a language that is the name of an inherited function', async () => {
    const { asked, phase, text } = await visit(open);
    await phase('choosing');
    await until(() => text().includes('How would you like to pay?'), 'English');
    expect(asked.filter((url) => url.includes('locales'))).to.deep.equal([]);
    expect(text()).to.contain(openIntent.product_name);
  });
});
