/** Opens the hostile page in a frame; the test answers in place of the relay. */
import { states } from '../../../../demo/element-states.js';
import { bearer, createWorld, openIntent, until, type World } from '../../support/world.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { texts } from './relay-fetch.js';

type Answer = { status: number; body: unknown };
type Hostile = {
  element: PayCheckout;
  page: Window;
  requestedUrls: string[];
  find(selector: string): HTMLElement | null;
  text(): string;
  phase(phase: string): Promise<void>;
  /** Pays with the marked option. */
  pay(): Promise<void>;
};

const PAGE = '/test/suite/widget/pay-checkout/hostile-page.html';

/** Puts an element on the hostile page; its relay is `world`, unless `answer` returns a value. */
export async function visit(
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
  const requestedUrls: string[] = [];
  const relay = `${location.origin}/relay`;
  const answerOf = async (url: string, body: string): Promise<Answer> => {
    requestedUrls.push(url);
    if (url.includes('/locales/')) return { status: 200, body: await (await texts(url)).json() };
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
  const find = (selector: string): HTMLElement | null =>
    element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
  const phase = (name: string): Promise<void> =>
    until(() => element.phase === name, `${name}, is ${element.phase}`);
  return {
    element,
    page,
    requestedUrls,
    find,
    text: () => find('.base')?.textContent ?? '',
    phase,
    pay: async () => {
      await phase('choosing');
      await until(() => find('[data-action="pay"]') !== null, 'the button');
      find('[data-action="pay"]')?.click();
      await phase('awaiting_payment');
    },
  };
}

/** A name with a right-to-left override, and with the end of an isolate that never began. */
export const NAME = '\u202eevil\u2069';

/** A checkout answer with hostile names in it. */
export const shown = (checkout: object, order?: object): unknown => {
  const { body } = states.succeeded!.answer(Date.now()) as Body;
  const options = [{ id: 'constructor', label: NAME, payment_method: 'direct' }];
  const names = { product_name: NAME, shop_name: NAME, options };
  return {
    ...body,
    checkout: { ...body.checkout, ...names, ...checkout },
    order: order && { ...body.order, ...order },
  };
};

type Body = { body: { checkout: object; order: object } };

/** An answer of the relay with a waiting order, its `next_action` and the allowed schemes. */
export const waiting =
  (next_action: object, ...link_schemes: string[]) =>
  (path: string): unknown => {
    const { body } = states.awaiting_payment!.answer(Date.now()) as Body;
    const order = { ...body.order, next_action };
    if (path === '/v1/query') return new Promise(() => {});
    return { ...body, checkout: { ...body.checkout, link_schemes }, order };
  };

export async function tokenOf(world: World): Promise<Record<string, string>> {
  const claims = { ...openIntent, customer_ref_id: 'anna' };
  const { body } = await world.ask('/v1/order-tokens', claims, bearer);
  return { 'order-token': String(body.order_token) };
}
