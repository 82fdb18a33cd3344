/**
 * The element on a hostile page: markup and prototypes that name another relay, answers with links
 * that run a script, a stranger's link, and the traces of an earlier customer.
 *
 * Other files test the defences that a page cannot reach: the documented nginx lines in
 * tools/docs/guides.test.ts, and in the relay's part of the suite the default hosts in
 * commands/start-command.process.test.ts, the operator's key in console/operator.process.test.ts,
 * the configured schemes and origins in config/links.test.ts, every form of a return_url in
 * intent/return-url.test.ts and of an invisible text in contract/visible-text.test.ts.
 */
import { expect } from '@open-wc/testing';
import { digest } from '../../../../widget/browser/digest.js';
import { claims, sign } from '../../relay/intent/signed-token.js';
import { bearer, createWorld, openIntent, until } from '../../support/world.js';
import { NAME, shown, tokenOf, visit, waiting } from './hostile.js';
import { open } from './stage.js';

const UUID = '7d0a2c1e-5b7f-4c7e-9d55-2f8f0a6c3b11';

describe('on a hostile page', () => {
  const leave = (): void => document.querySelectorAll('iframe').forEach((frame) => frame.remove());
  afterEach(() => {
    leave();
    localStorage.clear();
    sessionStorage.clear();
  });

  const ofRelay = ['/v1/checkout', '/locales/constructor.json'].map(
    (path) => `${location.origin}/relay${path}`,
  );

  it('calls only the relay of its script tag when markup and prototypes name another', async () => {
    const { requestedUrls, element, phase } = await visit({ ...open, display: 'modal' });
    await phase('choosing');
    element.show();
    element.close();
    expect(requestedUrls).to.have.members(ofRelay);
  });

  it('resolves a relative relay against the page when a base names another origin', async () => {
    const { requestedUrls, phase } = await visit({ ...open, relay: '/relay' });
    await phase('choosing');
    expect(requestedUrls).to.have.members(ofRelay);
  });

  it('renders no link with a dangerous scheme when the answer allows that scheme', async () => {
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

  it('links a deposit only to the payment URI that the relay builds', async () => {
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

  it('stores no customer data that the next person at this computer could read', async () => {
    const world = createWorld();
    const subjects = [
      await tokenOf(world),
      { sku: 'tee', 'customer-ref-id': 'anna' },
      { ...open, 'customer-ref-id': 'anna' },
    ];
    for (const attributes of subjects) {
      const { pay } = await visit(attributes, { world });
      await pay();
    }
    const kept = Object.entries({ ...localStorage });
    expect(kept.length).to.equal(4);
    for (const [key, value] of kept) {
      expect(key).to.match(/^pay-checkout:([0-9a-f]{32}|choice)$/);
      expect(value).to.match(/^\d+ qr$|^{"attempt":"[0-9a-f-]{36}","at":\d+}$/);
    }
  });

  for (const attributes of [{ sku: 'tee' }, open] as Record<string, string>[])
    it(`asks whose order it is when it finds one for ${Object.keys(attributes)[0]}`, async () => {
      const world = createWorld();
      const first = await visit(attributes, { world });
      await first.pay();
      expect(first.text()).not.to.include('Not your order?');
      // an element moved within its page belongs to the same customer
      first.page.document.body.append(first.element);
      await first.phase('awaiting_payment');
      expect(first.text()).not.to.include('Not your order?');
      const [order] = world.sandbox.orders.all();
      world.sandbox.orders.act(order!, 'decline');
      await first.phase('failed');
      leave();

      const next = await visit(attributes, { world });
      await next.phase('failed');
      await until(() => next.text().includes('Not your order? Start anew'), 'the question');
      world.sandbox.orders.act(order!, 'pay_late');
      await next.phase('succeeded');
      await until(() => next.text().includes('Not your order? Start anew'), 'the question still');
      next.find('[data-action="not-yours"]')?.click();
      await next.pay();
      expect(next.text()).not.to.include('Not your order?');
      expect(new Set(world.pays().map(({ request_id }) => request_id)).size).to.equal(2);
    });

  it('asks whose order it is when the order was paid before the next person came', async () => {
    const world = createWorld();
    await (await visit({ sku: 'tee' }, { world })).pay();
    leave();
    const [order] = world.sandbox.orders.all();
    world.sandbox.orders.act(order!, 'confirm');
    const { request_id } = order!;
    await until(async () => {
      const { body } = await world.ask('/v1/query', { request_id }, bearer);
      return body.order?.outcome === 'succeeded';
    }, 'paid');
    const { find, phase } = await visit({ sku: 'tee' }, { world });
    await phase('succeeded');
    await until(() => find('[data-action="not-yours"]') !== null, 'the question');
  });

  it('warns of a second payment when this tab opened the payment page before', async () => {
    const world = createWorld();
    const attributes = { ...open, option: 'card' };
    const first = await visit(attributes, { world });
    let opened = 0;
    first.element.addEventListener('pay-redirect', () => opened++);
    await first.pay();
    await until(() => first.find('[part="link"]') !== null, 'the link');
    first.element.addEventListener('click', (event) => event.preventDefault());
    for (const detail of [1, 2])
      first
        .find('[part="link"]')
        ?.dispatchEvent(
          new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, detail }),
        );
    expect(opened, 'a double click opens one page').to.equal(1);
    leave();

    const reloaded = await visit(attributes, { world });
    await reloaded.phase('awaiting_payment');
    await until(() => reloaded.text().includes('If you have paid, do not pay again'), 'warning');
    expect(reloaded.text()).not.to.include('Not your order?');
    expect(reloaded.find('.primary')?.dataset.action).to.equal('check-now');
    expect(reloaded.find('[part="link"]')?.className).to.equal('quiet');
    leave();

    sessionStorage.clear();
    const inAnotherTab = await visit(attributes, { world });
    await inAnotherTab.phase('awaiting_payment');
    await until(() => inAnotherTab.text().includes('Not your order?'), 'the question');
    expect(inAnotherTab.find('[part="link"]')?.className).to.equal('primary');
  });

  it('does not ask whose order it is when the order has a token', async () => {
    const world = createWorld();
    const token = await tokenOf(world);
    await (await visit(token, { world })).pay();
    leave();
    const { phase, text } = await visit(token, { world });
    await phase('awaiting_payment');
    await until(() => text().includes('Scan with your banking app'), 'the order');
    expect(text()).not.to.include('Not your order?');
  });

  it('replaces a stored attempt when it is invalid', async () => {
    const name = digest(JSON.stringify({ intent: { sku: 'tee' } }));
    for (const kept of [
      { attempt: 'jti-of-the-shop', at: Date.now() },
      { attempt: UUID, at: Date.now() + 86_400_000 },
      { attempt: UUID, at: Date.now() - 86_400_001 },
    ]) {
      localStorage.setItem(`pay-checkout:${name}`, JSON.stringify(kept));
      const { phase } = await visit({ sku: 'tee' });
      await phase('choosing');
      const now = localStorage.getItem(`pay-checkout:${name}`);
      expect(now).to.match(/^{"attempt":"[0-9a-f-]{36}"/);
      expect(now).not.to.include(kept.attempt);
    }
  });

  it('removes its own keys when they are older than 24 hours, and none of the shop', async () => {
    const old = Date.now() - 86_400_001;
    localStorage.setItem(`pay-checkout:${digest('old')}`, `{"attempt":"${UUID}","at":${old}}`);
    localStorage.setItem('pay-checkout:{"sku":"tee","customer_ref_id":"anna"}', 'x');
    localStorage.setItem('pay-checkout:choice', `${old} card`);
    localStorage.setItem('basket', 'tee');
    const { phase } = await visit({ sku: 'tee' });
    await phase('choosing');
    const [basket, attempt, ...others] = Object.keys(localStorage).sort();
    expect([basket, others]).to.deep.equal(['basket', []]);
    expect(attempt).to.match(/^pay-checkout:[0-9a-f]{32}$/);
    expect(attempt).not.to.include(digest('old'));
  });

  it('shows the outcome alone when a token expired more than 24 hours ago', async () => {
    const world = createWorld();
    const first = await visit({ 'order-token': await sign(claims) }, { world });
    await first.pay();
    const [order] = world.sandbox.orders.all();
    world.sandbox.orders.act(order!, 'confirm');
    await first.phase('succeeded');
    leave();
    localStorage.clear();

    const stale = await sign(claims, { issued: -90_600, expires: -90_000 });
    const next = await visit({ 'order-token': stale }, { world });
    await next.phase('problem');
    await until(() => next.text().includes('This purchase is already paid'), 'the outcome');
    expect(next.text()).not.to.match(/A tree|12\.50/);
    expect(next.text()).not.to.include(order!.order_no);
  });

  it('shows no deposit address when it has an invisible character', async () => {
    const world = createWorld();
    const data = { currency: 'XRP', address: 'rN7n\u200bAbc', tag: '1' };
    Object.assign(world.sandbox, { fetch: async () => Response.json({ code: 200, data }) });
    const attributes = { deposit: 'XRP', 'customer-ref-id': 'c1' };
    const { find, phase, text } = await visit(attributes, { world });
    await phase('problem');
    expect(text()).not.to.include('rN7n');
    expect(find('[part="address"]')).to.equal(null);
    data.address = 'rN7nAbc';
    const honest = await visit(attributes, { world });
    await honest.phase('showing_deposit_address');
  });

  it('offers no way to pay when URL parsers read different hosts from the return_url', async () => {
    const world = createWorld();
    const returning = (url: string): ReturnType<typeof visit> =>
      visit({ ...open, 'return-url': url }, { world });
    await (await returning('https://shop.example/')).phase('choosing');
    const { find, phase } = await returning('https://shop.example\\@evil.example/');
    await phase('problem');
    expect(find('a[href*="evil"], [data-action="pay"]')).to.equal(null);
    expect(world.pays()).to.deep.equal([]);
  });

  it('isolates every name, so that it cannot reverse the text beside it', async () => {
    const answers: Record<string, (path: string) => unknown> = {
      choosing: () => shown({ remark: NAME }),
      succeeded: () => shown({}, { outcome: 'succeeded', status: 20, order_no: NAME }),
      showing_deposit_address: () => ({
        deposit_address: {
          currency: NAME,
          address: 'r1',
          tag: '7',
          label: NAME,
          network: NAME,
          tag_label: NAME,
          minimum: '1',
        },
      }),
    };
    for (const [reached, answer] of Object.entries(answers)) {
      const subject = reached === 'showing_deposit_address' ? 'deposit' : 'sku';
      const attributes = { [subject]: 'XRP', 'customer-ref-id': 'c1' };
      const { find, page, phase } = await visit(attributes, { answer });
      await phase(reached);
      await until(() => find('bdi') !== null, reached);
      const base = find('.base')!;
      const walk = page.document.createTreeWalker(base, NodeFilter.SHOW_TEXT);
      const around: string[] = [];
      while (walk.nextNode())
        if (walk.currentNode.textContent?.includes('\u202e'))
          around.push(walk.currentNode.parentElement?.localName ?? '');
      expect(around.length, reached).to.be.above(2);
      expect([...new Set(around)], reached).to.deep.equal(['bdi']);
    }
  });

  it('keeps the order of the text around a name that reverses its direction', async () => {
    const answer = (): unknown => shown({}, { outcome: 'succeeded', status: 20 });
    const { find, page, phase } = await visit({ sku: 'tee' }, { answer });
    await phase('succeeded');
    await until(() => find('.hint') !== null, 'the sentence');
    const texts = [find('.hint')!, ...find('.hint')!.querySelectorAll('.fact')]
      .flatMap((part) => [...part.childNodes])
      .filter(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim());
    const places = texts.map((text) => {
      const range = page.document.createRange();
      range.selectNodeContents(text);
      return range.getBoundingClientRect().left;
    });
    expect(places.length).to.equal(2);
    expect(places[0]).to.be.below(places[1]!);
  });

  it('shows English when the language is the name of an inherited function', async () => {
    const { requestedUrls, phase, text } = await visit(open);
    await phase('choosing');
    await until(() => text().includes('How would you like to pay?'), 'English');
    expect(requestedUrls).to.include(`${location.origin}/relay/locales/constructor.json`);
    expect(text()).to.include(openIntent.product_name);
  });
});
