/** A purchase that follows one whose order may still be paid warns the customer of it. */
import { expect } from '@open-wc/testing';
import { failureStatuses, type FailureCode } from '../../../../relay/contract/failure.js';
import { bearer, createWorld, openIntent, ORIGIN, until, type World } from '../../support/world.js';
import { clear, hurry, open, stage, stageAwaiting, stageChoosing, type Stage } from './stage.js';

const WARNING = 'Your earlier order can still be paid';

/** Answers the next pays in place of the relay. */
function answerPays(world: World, answer: () => Response | Promise<Response>): void {
  const { fetch } = world.relay;
  world.relay.fetch = async (request) =>
    request.url.endsWith('/v1/pay') ? answer() : fetch(request);
}

const refusal = (code: FailureCode): Response =>
  Response.json(
    { error: { code, message: 'refused', reference: 'r1' } },
    { status: failureStatuses[code] },
  );

/** Names another purchase, and returns what the customer reads once it is loaded. */
async function textOfNextPurchase({ element, phase, text }: Stage): Promise<string> {
  element.setAttribute('amount', '13');
  await phase('choosing');
  await element.updateComplete;
  return text();
}

/** Chooses the way to pay of the page's order once more. */
async function payAgain({ click, element, phase }: Stage): Promise<void> {
  click('[data-action="choose-again"]');
  await phase('choosing');
  await element.updateComplete;
  click('[data-action="pay"]');
}

/** What a page does that writes its attributes anew. */
async function writeAgain({ element }: Stage, name = 'amount'): Promise<void> {
  const value = element.getAttribute(name)!;
  element.removeAttribute(name);
  element.setAttribute(name, value);
  await element.updateComplete;
}

describe('a purchase whose attribute is removed and set again', () => {
  const back = { 'return-url': 'https://shop.example/thanks?visit=1' };
  afterEach(clear);

  it('stays paid, also when its return-url changes', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, { ...open, ...back });
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await page.element.checkNow();
    await page.phase('succeeded');
    await writeAgain(page);
    expect(page.element.phase).to.equal('succeeded');
    page.element.setAttribute('return-url', 'https://shop.example/thanks?visit=2');
    await page.element.updateComplete;
    expect(page.element.phase).to.equal('succeeded');
  });

  it('keeps its order, with the code on the screen', async () => {
    const page = await stageAwaiting(createWorld(), open);
    const code = page.part('qr');
    await writeAgain(page);
    expect(code).not.to.equal(null);
    expect(page.part('qr')).to.equal(code);
  });

  it('takes a return-url that the page changes, and restores its order', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, { ...open, ...back });
    const { fetch, order } = page.element;
    const asked: string[] = [];
    page.element.fetch = (url, init) => {
      asked.push(String(init?.body));
      return fetch!(url, init);
    };
    page.element.setAttribute('return-url', 'https://shop.example/thanks?visit=2');
    await until(() => asked.some((text) => text.includes('visit=2')), 'the new address');
    await page.phase('awaiting_payment');
    expect(page.element.order?.request_id).to.equal(order!.request_id);
    expect(world.pays()).to.have.length(1);
  });

  it('still has a deposit that was received', async () => {
    const page = stage(createWorld(), { deposit: 'XRP', 'customer-ref-id': 'c' });
    await page.phase('showing_deposit_address');
    page.element.markReceived();
    await writeAgain(page, 'deposit');
    expect(page.text()).to.include('Deposit received');
  });

  it('begins again after a problem', async () => {
    const page = await stageChoosing(createWorld(), open);
    page.element.removeAttribute('amount');
    await page.phase('problem');
    page.element.setAttribute('amount', '12.50');
    await page.phase('choosing');
  });
});

describe('a purchase after one whose order may still be paid', () => {
  afterEach(clear);

  it('warns of the order when the token had expired before another way was paid', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, open);
    const { order } = page.element;
    let answer = (_response: Response): void => {};
    answerPays(world, () => new Promise((resolve) => (answer = resolve)));
    await payAgain(page);
    await page.phase('submitting');
    expect(page.element.order).to.equal(order);
    answer(refusal('token_expired'));
    await page.phase('problem');
    expect(page.element.order).to.equal(order);
    expect(await textOfNextPurchase(page)).to.include(WARNING);
  });

  it('warns of the order when the purchase changes while a pay is under way', async () => {
    const world = createWorld();
    const page = await stageChoosing(world, open);
    answerPays(world, () => new Promise(() => {}));
    page.click('[data-action="pay"]');
    await page.phase('submitting');
    expect(await textOfNextPurchase(page)).to.include(WARNING);
  });

  for (const [what, answer] of [
    ['the answer to its pay was lost', () => Promise.reject(new TypeError('cut'))],
    ['the relay lost its ledger during the pay', () => refusal('ledger_unavailable')],
    ['the relay failed during the pay', () => refusal('internal')],
  ] as const)
    it(`warns of the order when ${what}`, async () => {
      hurry();
      const world = createWorld();
      const page = await stageChoosing(world, open);
      answerPays(world, answer);
      page.click('[data-action="pay"]');
      await page.phase('problem');
      expect(await textOfNextPurchase(page)).to.include(WARNING);
    });

  it('warns of the order that another window placed with other content', async () => {
    const world = createWorld();
    const page = await stageChoosing(world, open);
    answerPays(world, () => refusal('intent_conflict'));
    page.click('[data-action="pay"]');
    await page.phase('problem');
    await page.element.updateComplete;
    page.click('[data-action="retry"]');
    await page.phase('choosing');
    await page.element.updateComplete;
    expect(page.text()).to.include(WARNING);
  });

  it('warns of the order that the page leaves by restart()', async () => {
    const page = await stageAwaiting(createWorld(), open);
    page.element.restart();
    await page.phase('choosing');
    await page.element.updateComplete;
    expect(page.text()).to.include(WARNING);
  });

  it('does not warn of an order that failed', async () => {
    const world = createWorld();
    const page = await stageAwaiting(world, open);
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'decline');
    await page.element.checkNow();
    await page.phase('failed');
    expect(await textOfNextPurchase(page)).not.to.include(WARNING);
  });

  it('does not begin anew with a token whose number was used with other content', async () => {
    const shop = { name: 'Shop', origins: [ORIGIN], support_url: 'https://shop.example/help' };
    const world = createWorld({ config: { shop } });
    const tokenOf = async (amount: string): Promise<string> => {
      const sale = { ...openIntent, amount, customer_ref_id: 'c', jti: 'order-77' };
      const { body } = await world.ask('/v1/order-tokens', sale, bearer);
      return body.order_token as string;
    };
    const first = await stageAwaiting(world, { 'order-token': await tokenOf('12.50') });
    first.element.remove();
    const { element, phase, text } = stage(world, { 'order-token': await tokenOf('13') });
    await phase('problem');
    await element.updateComplete;
    expect(element.problem?.code).to.equal('intent_conflict');
    expect(text()).to.include('Please contact the shop and ask for a new checkout.');
    const primary = element.shadowRoot!.querySelector<HTMLAnchorElement>('.primary');
    expect(primary?.href).to.equal(shop.support_url);
    expect(element.shadowRoot!.querySelector('[data-action="retry"]')).to.equal(null);
  });

  it('warns of the order when the purchase changed while the element was detached', async () => {
    const page = await stageAwaiting(createWorld(), open);
    const { element } = page;
    element.remove();
    // the checkout of an element that was only moved goes on
    await until(() => !element.isConnected, 'left');
    element.setAttribute('amount', '13');
    document.body.append(element);
    await page.phase('choosing');
    await element.updateComplete;
    expect(page.text()).to.include(WARNING);
  });

  it('does not warn when the only pay was refused, or the order is paid', async () => {
    const world = createWorld();
    const { fetch } = world.relay;
    const page = await stageChoosing(world, open);
    answerPays(world, () => refusal('token_expired'));
    page.click('[data-action="pay"]');
    await page.phase('problem');
    expect(await textOfNextPurchase(page)).not.to.include(WARNING);
    world.relay.fetch = fetch;
    page.click('[data-action="pay"]');
    await page.phase('awaiting_payment');
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');
    await page.element.checkNow();
    await page.phase('succeeded');
    page.element.setAttribute('amount', '14');
    await page.phase('choosing');
    await page.element.updateComplete;
    expect(page.text()).not.to.include(WARNING);
  });
});
