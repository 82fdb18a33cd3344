/**
 * The answer of /v1/checkout has the fields that the element shows: logo, image hosts, icons and
 * words of the options, return_url and the order. This file also tests `code_opens` of an order and
 * `support_url` of an error.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordsOfChannel } from '../../../../relay/config/own-words.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { readCheckout, readFailure } from '../../../../relay/contract/read.js';
import type { CheckoutResponse } from '../../../../relay/contract/responses.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import { bearer, createWorld, openIntent, testConfig, type World } from '../../support/world.js';
import { beforeChanges } from '../../support/ledger-calls.js';

const SUPPORT = 'https://shop.example/help';
const RETURN = 'https://shop.example/thanks';
const qr = {
  id: 'qr',
  label: 'QR',
  payment_method: 'direct',
  payment_type: 'qrcode',
  payment_channel: 'pix_qr',
} as const;
const card = {
  id: 'card',
  label: 'Card',
  payment_method: 'on_line',
  icon_url: 'https://cdn.example/card.svg',
  phone_action: 'save',
  words: { scan: { en: 'Scan it' } },
} as const;
const shop = {
  ...testConfig.shop,
  support_url: SUPPORT,
  logo_url: 'https://cdn.example/logo.svg',
  image_hosts: ['cdn.example'],
};

const open = (config: Partial<ConfigFile> = {}): World =>
  createWorld({ config: { shop, options: [qr, card], ...config } });
const checkoutOf = async (world: World, body: object): Promise<CheckoutResponse['checkout']> =>
  readCheckout((await world.ask('/v1/checkout', body)).body).checkout;
const attempt = crypto.randomUUID();

/**
 * Longer than MAX_CLAIM_WRITE_MS (orders/send-pay.ts): when a claim takes this long to write, the
 * relay sends no pay.
 */
const TOO_LONG_CLAIM_MS = 2500;

describe('the answer of checkout', () => {
  it('answers with the shop’s logo and image hosts, and the options’ icons and words', async () => {
    const world = open();
    const { image_hosts, logo_url, options } = await checkoutOf(world, openIntent);
    assert.deepEqual([logo_url, image_hosts], [shop.logo_url, shop.image_hosts]);
    const [pix, cards] = options;
    assert.deepEqual(
      [cards?.icon_url, cards?.phone_action, cards?.words?.scan],
      [card.icon_url, 'save', { en: 'Scan it' }],
    );
    assert.equal(pix?.phone_action, undefined);
    assert.equal(pix?.icon_url, 'https://shop.example/pay/marks/pix.svg');
    assert.ok(typeof pix?.words?.copy_code === 'object', 'built in for Pix');
  });

  it('leaves out the words of a channel that a text of the shop replaces', async () => {
    const world = open({ texts: { scan: 'Bitte scannen' } });
    const { options } = await checkoutOf(world, openIntent);
    const [pix, cards] = options.map(({ words }) => words);
    assert.deepEqual([pix?.scan, cards?.scan], [undefined, card.words.scan]);
    assert.ok(pix?.copy_code, 'no text of the shop replaces it');
  });

  it('keeps the words of a channel in the languages that a text of the shop lacks', async () => {
    const world = open({ texts: { scan: { pt: 'Escaneie aqui' } } });
    const { options } = await checkoutOf(world, openIntent);
    const words: unknown = options[0]?.words?.scan;
    const { scan = {} } = wordsOfChannel('pix') ?? {};
    assert.deepEqual(words, { ...(scan as object), pt: 'Escaneie aqui' });
  });

  it('logs why no option takes the amount of a checkout', async () => {
    const world = createWorld({
      config: {
        shop,
        options: [
          { ...card, currencies: ['EUR'] },
          { ...qr, min: '20' },
        ],
      },
    });
    assert.deepEqual((await checkoutOf(world, openIntent)).options, []);
    const line = world.log.find(({ event }) => event === 'no_option');
    const why = 'no option takes 12.50 USD: card takes only EUR; qr takes at least 20';
    assert.equal(line?.fields.message, why);
  });

  it('answers with the words of the option in place of its channel’s words', async () => {
    const world = open({ options: [{ ...qr, words: { scan: 'Scan it' } }] });
    const [pix] = (await checkoutOf(world, openIntent)).options;
    assert.equal(pix?.words?.scan, 'Scan it');
    assert.ok(pix.words.copy_code);
  });

  it('answers with the return_url of the page or the token, also on another device', async () => {
    const world = open();
    const intent = { ...openIntent, attempt, return_url: RETURN };
    assert.equal((await checkoutOf(world, intent)).return_url, RETURN);
    assert.equal((await checkoutOf(world, openIntent)).return_url, undefined);
    const claims = { ...openIntent, customer_ref_id: 'c1', return_url: RETURN };
    const { order_token } = (await world.ask('/v1/order-tokens', claims, bearer)).body;
    assert.equal((await checkoutOf(world, { order_token })).return_url, RETURN);
    const { order } = (await world.ask('/v1/pay', { ...intent, option: 'card' })).body;
    const { order_key, request_id } = order ?? {};
    const resumed = await checkoutOf(world, { resume: { request_id, order_key } });
    assert.equal(resumed.return_url, RETURN);
  });

  it('answers a link with the replacement when the link’s order was replaced', async () => {
    const world = open();
    const pay = (more: object) =>
      world.ask('/v1/pay', { ...openIntent, attempt, option: 'card', ...more });
    const { order } = (await pay({})).body;
    const firstOrder = { order_key: order?.order_key, request_id: order?.request_id };
    const next = (await pay({ replaces: firstOrder, option: 'qr' })).body.order;
    const shown = (await world.ask('/v1/query', firstOrder)).body.order;
    assert.deepEqual([shown?.next_action, shown?.replaced], [null, true]);
    const resumed = (await world.ask('/v1/checkout', { resume: firstOrder })).body.order;
    assert.equal(resumed?.request_id, next?.request_id);
  });

  it('shows an order again when its replacement was not sent', async () => {
    let isSlow = false;
    let passedMs = 0;
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + passedMs,
      elapsed: () => systemClock.elapsed() + passedMs,
    };
    const ledger = beforeChanges(memoryLedger(), 'claims', () => {
      if (isSlow) passedMs += TOO_LONG_CLAIM_MS;
    });
    const world = createWorld({ ledger, clock });
    const payment = { ...openIntent, attempt, option: 'qr' };
    const { order } = (await world.ask('/v1/pay', payment)).body;
    const replaces = { order_key: order?.order_key, request_id: order?.request_id };
    isSlow = true;
    const failed = await world.ask('/v1/pay', { ...payment, replaces, option: 'card' });
    assert.equal((failed.body.error as { code: string }).code, 'service_unavailable');
    isSlow = false;
    const shown = (await world.ask('/v1/checkout', { ...openIntent, attempt })).body.order;
    assert.equal(shown?.request_id, order?.request_id);
    const again = (await world.ask('/v1/pay', { ...payment, option: 'card' })).body.order;
    assert.equal(again?.request_id, order?.request_id);
    const next = (await world.ask('/v1/pay', { ...payment, replaces, option: 'card' })).body.order;
    assert.notEqual(next?.request_id, order?.request_id);
    assert.equal(world.pays().length, 2);
  });

  it('shows an order when its item was later taken out of the catalogue', async () => {
    const ledger = memoryLedger();
    const former = createWorld({ ledger });
    const item = { sku: 'tee', attempt };
    const { order } = (await former.ask('/v1/pay', { ...item, option: 'qr' })).body;
    const world = createWorld({ config: { catalogue: {} }, ledger, sandbox: former.sandbox });
    const { body } = await world.ask('/v1/checkout', item);
    const { checkout } = body as { checkout: { amount: string; options: unknown[] } };
    assert.equal(body.order?.request_id, order?.request_id);
    assert.deepEqual([checkout.amount, checkout.options], ['19.90', []]);
  });

  const tees = { sku: 'tee', quantity: 5 };
  const tee = { amount: '19.90', currency: 'USD', product_name: 'T-shirt', max_quantity: 2 };
  const back = { ...openIntent, return_url: 'https://shop.example/back' };
  const movedShop = {
    name: 'Shop',
    origins: ['https://shop.example'],
    return_hosts: ['new.example'],
  };
  const bounds = { min: '20', max: '500' };
  for (const [what, intent, config, code] of [
    ['max_quantity', tees, { catalogue: { tee } }, 'quantity_out_of_bounds'],
    ['a bound', openIntent, { open_amount: { USD: bounds } }, 'amount_out_of_bounds'],
    ['a currency', openIntent, { open_amount: { EUR: bounds } }, 'currency_not_available'],
    ['return_hosts', back, { shop: movedShop }, 'return_host_refused'],
    ['return_hosts of a token', 'token', { shop: movedShop }, 'return_host_refused'],
  ] satisfies [string, object | string, Partial<ConfigFile>, string][])
    it(`shows the order of a purchase that a changed configuration refuses: ${what}`, async () => {
      const ledger = memoryLedger();
      const former = createWorld({ ledger });
      const sale = { ...back, customer_ref_id: 'c-1', jti: 'order-001' };
      const { order_token } = (await former.ask('/v1/order-tokens', sale, bearer)).body;
      const purchase = intent === 'token' ? { order_token } : (intent as object);
      const paid = (await former.ask('/v1/pay', { ...purchase, attempt, option: 'qr' })).body.order;
      assert.ok(paid);
      const world = createWorld({ config, ledger, sandbox: former.sandbox });
      const { body } = await world.ask('/v1/checkout', { ...purchase, attempt });
      assert.equal(body.order?.request_id, paid.request_id);
      const { checkout } = body as { checkout: { options: unknown[]; return_url?: string } };
      assert.deepEqual([checkout.options, checkout.return_url], [[], undefined]);
      const refusals = [
        await world.ask('/v1/pay', { ...purchase, attempt, option: 'qr' }),
        ...(intent === 'token'
          ? []
          : [await world.ask('/v1/checkout', { ...purchase, attempt: crypto.randomUUID() })]),
      ];
      for (const refused of refusals)
        assert.equal((refused.body.error as { code: string }).code, code);
    });

  it('knows a guest again when guest_customer_prefix has changed', async () => {
    const ledger = memoryLedger();
    const former = createWorld({ ledger });
    const first = (await former.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' })).body
      .order;
    const config = { guest_customer_prefix: 'eu-' };
    const world = createWorld({ config, ledger, sandbox: former.sandbox });
    const { body } = await world.ask('/v1/checkout', { ...openIntent, attempt });
    assert.equal(body.order?.request_id, first?.request_id);
    const replaces = { request_id: first?.request_id, order_key: first?.order_key };
    const pay = { ...openIntent, attempt, option: 'card', replaces };
    const second = (await world.ask('/v1/pay', pay)).body.order;
    assert.ok(second && second.request_id !== first?.request_id);
    for (const other of [{ amount: '12.51' }, { customer_ref_id: 'c-2' }]) {
      const refused = await world.ask('/v1/checkout', { ...openIntent, ...other, attempt });
      assert.equal((refused.body.error as { code: string }).code, 'intent_conflict');
    }
  });

  it('answers sku_unknown when the attempt has no order of the removed item', async () => {
    const ledger = memoryLedger();
    const former = createWorld({ ledger });
    await former.ask('/v1/pay', { sku: 'tee', attempt, option: 'qr' });
    const world = createWorld({ config: { catalogue: {} }, ledger, sandbox: former.sandbox });
    for (const withoutOrder of [
      { sku: 'tee', attempt: crypto.randomUUID() },
      { sku: 'cap', attempt },
      { sku: 'tee' },
    ]) {
      const { error } = (await world.ask('/v1/checkout', withoutOrder)).body;
      assert.equal((error as { code: string }).code, 'sku_unknown');
    }
  });

  it('answers with the option of the order when that option is not offered', async () => {
    const world = open();
    const intent = { ...openIntent, attempt };
    const { order } = (await world.ask('/v1/pay', { ...intent, option: 'card' })).body;
    assert.equal((await checkoutOf(world, intent)).order_option, undefined);
    const { order_key, request_id } = order ?? {};
    const resumed = await checkoutOf(world, { resume: { request_id, order_key } });
    assert.deepEqual(resumed.options, []);
    assert.equal(resumed.order_option?.icon_url, card.icon_url);
  });

  it('omits the optional fields when neither configuration nor request has them', async () => {
    const world = createWorld();
    const { body } = await world.ask('/v1/checkout', openIntent);
    const { checkout } = body as { checkout: object & { options: object[] } };
    const optionalFields = ['logo_url', 'image_hosts', 'return_url', 'order_option', 'support_url'];
    for (const name of optionalFields) assert.equal(name in checkout, false, name);
    const cardOption = checkout.options.find((option) => 'id' in option && option.id === 'card');
    assert.deepEqual(cardOption, {
      id: 'card',
      label: { en: 'Card', ru: 'Карта' },
      payment_method: 'on_line',
    });
  });
});

describe('readCheckout', () => {
  const option = { id: 'card', label: 'Card', payment_method: 'on_line' };
  const checkout = {
    amount: '1',
    currency: 'USD',
    product_name: 'A tree',
    options: [option],
    livemode: true,
    shop_name: 'Shop',
    link_schemes: [],
  };

  it('accepts an answer that has none of the optional fields', () => {
    const read = readCheckout({ contract: 1, checkout }).checkout;
    assert.deepEqual([read.logo_url, read.options[0]?.words], [undefined, undefined]);
  });

  it('drops the unknown fields of an answer', () => {
    const newer = { ...checkout, options: [{ ...option, newer: 1 }], newer: {} };
    const read = readCheckout({ contract: 1, checkout: newer }).checkout;
    assert.equal('newer' in read, false);
    assert.equal('newer' in (read.options[0] ?? {}), false);
  });
});

describe('an order with a QR code', () => {
  const codeOpens = async (links: ConfigFile['links']): Promise<unknown> => {
    const world = open({ links });
    const pay = { ...openIntent, attempt, option: 'qr' };
    const { order } = (await world.ask('/v1/pay', pay)).body;
    return (order as { code_opens?: boolean } | undefined)?.code_opens;
  };

  it('sends code_opens with an order when `links` allows the link in its QR code', async () => {
    assert.equal(await codeOpens({ hosts: ['qr.sandbox.example'] }), true);
    assert.equal(await codeOpens({ hosts: ['pay.example'] }), undefined);
  });
});

describe('an error', () => {
  it('sends support_url with every error of a page', async () => {
    const world = open();
    const foreign = { origin: 'https://other.example' };
    for (const [path, body, headers] of [
      ['/v1/checkout', {}, {}],
      ['/v1/checkout', 'no json', {}],
      ['/v1/checkout', { ...openIntent, amount: '9999' }, {}],
      ['/v1/pay', { ...openIntent, attempt, option: 'none' }, {}],
      ['/v1/query', { request_id: 'r', order_key: 'k' }, {}],
      ['/v1/checkout', { order_token: 'a.b.c' }, {}],
      ['/v1/checkout', openIntent, foreign],
      ['/v1/none', {}, {}],
    ] as const) {
      const answer = await world.ask(path, body, headers);
      assert.ok(answer.status >= 400, path);
      assert.equal(readFailure(answer.body)?.support_url, SUPPORT, JSON.stringify(answer.body));
    }
  });

  it('omits support_url in an error when a backend asks, or when the shop has none', async () => {
    const world = open();
    const refused = await world.ask('/v1/query', { request_id: 'r' }, bearer);
    assert.equal(readFailure(refused.body)?.code, 'order_unknown');
    assert.equal(readFailure(refused.body)?.support_url, undefined);
    const without = createWorld();
    const { body } = await without.ask('/v1/checkout', {});
    assert.deepEqual(Object.keys(body.error as object).sort(), [
      'code',
      'field',
      'message',
      'reference',
    ]);
  });
});
