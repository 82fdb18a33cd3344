/** The shop's backend sets the prices, has one intent per order, and trusts only the relay. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { products } from '../../../../demo/shop/products.js';
import { shopBesideRelay } from './relay-double.js';

let world: ReturnType<typeof shopBesideRelay>;
beforeEach(() => (world = shopBesideRelay()));

const items = [
  { sku: 'huila', quantity: 1 },
  { sku: 'mint', quantity: 3 },
];
const placeOrder = async (): Promise<string> => String((await world.post({ items })).body.order_id);
type Problem = { code: string; message: string; field?: string };
const problem = (body: Record<string, unknown>): Problem => body.error as Problem;

describe('products', () => {
  it('lists every product with a decimal price on GET /products', async () => {
    const { status, body } = await world.call('/products');
    assert.equal(status, 200);
    assert.equal(body.currency, 'RUB');
    const listed = body.products as { sku: string; price: string }[];
    assert.deepEqual(
      listed.map(({ sku }) => sku),
      products.map(({ sku }) => sku),
    );
    for (const { price } of listed) assert.match(price, /^\d+\.\d{2}$/);
  });
});

describe('a new order', () => {
  it('charges a new order at the shop’s own prices, under the order’s own id', async () => {
    const { status, headers, body } = await world.post({ items });
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(String(body.order_id), /^[A-Za-z0-9_-]{8,56}$/);
    assert.equal(body.amount, '2160.75');
    assert.equal(body.order_token, `token-1-for-${String(body.order_id)}`);
    assert.deepEqual(world.tokenRequests, [
      {
        amount: '2160.75',
        currency: 'RUB',
        product_name: 'Bean & Leaf, 2 items',
        customer_ref_id: `guest-${String(body.order_id).slice(3, 15)}`,
        jti: body.order_id,
        return_url: `http://shop.test/thank-you.html?order=${String(body.order_id)}`,
        expires_in: 3600,
      },
    ]);
    assert.equal(body.return_url, world.tokenRequests[0]?.return_url);
  });

  it('sums prices exactly where a number would round', async () => {
    const all = products.map(({ sku }) => ({ sku, quantity: 20 }));
    assert.equal((await world.post({ items: all })).body.amount, '191415.00');
  });

  it('merges several lines of one product', async () => {
    const { body } = await world.post({ items: [...items, { sku: 'huila', quantity: 2 }] });
    assert.deepEqual(
      (body.items as { sku: string; quantity: number; sum: string }[]).map(
        ({ sku, quantity, sum }) => [sku, quantity, sum],
      ),
      [
        ['huila', 3, '2970.00'],
        ['mint', 3, '1170.75'],
      ],
    );
  });

  it('gives one customer one reference, and sends no e-mail address to the relay', async () => {
    for (const email of ['Anna@example.test', 'anna@example.test', 'boris@example.test'])
      await world.post({ items, customer: { email, name: 'A' } });
    const [first, second, third] = world.tokenRequests.map(
      ({ customer_ref_id }) => customer_ref_id,
    );
    assert.match(first ?? '', /^c-[0-9a-f]{24}$/);
    assert.equal(first, second);
    assert.notEqual(first, third);
    assert.ok(!JSON.stringify(world.tokenRequests).includes('example.test'));
  });

  const bad: [string, unknown, string][] = [
    ['no JSON', '{', 'body'],
    ['no items', {}, 'items'],
    ['an empty basket', { items: [] }, 'items'],
    ['an unknown product', { items: [{ sku: 'gold', quantity: 1 }] }, 'items.0.sku'],
    [
      'a product named like a property',
      { items: [{ sku: '__proto__', quantity: 1 }] },
      'items.0.sku',
    ],
    ['a quantity of zero', { items: [{ sku: 'huila', quantity: 0 }] }, 'items.0.quantity'],
    ['a fractional quantity', { items: [{ sku: 'huila', quantity: 0.5 }] }, 'items.0.quantity'],
    [
      'a quantity that is a text',
      { items: [items[0], { sku: 'mint', quantity: '2' }] },
      'items.1.quantity',
    ],
    ['too many', { items: [{ sku: 'huila', quantity: 21 }] }, 'items.0.quantity'],
    [
      'too many in two lines',
      { items: [12, 12].map((quantity) => ({ sku: 'huila', quantity })) },
      'items',
    ],
    [
      'a price from the browser',
      { items: [{ sku: 'huila', quantity: 1, price: '1.00' }] },
      'items.0.price',
    ],
    ['an amount from the browser', { items, amount: '1.00' }, 'amount'],
    ['a wrong e-mail address', { items, customer: { email: 'anna' } }, 'customer.email'],
    [
      'a long e-mail address',
      { items, customer: { email: `${'a'.repeat(250)}@x.example` } },
      'customer.email',
    ],
    ['an empty name', { items, customer: { name: '' } }, 'customer.name'],
    ['a long name', { items, customer: { name: 'x'.repeat(101) } }, 'customer.name'],
    ['a phone number that is a number', { items, customer: { phone: 7 } }, 'customer.phone'],
    ['a customer that is a text', { items, customer: 'anna' }, 'customer'],
    ['a list in place of an order', [], 'body'],
    ['an item that is a text', { items: ['huila'] }, 'items.0'],
    ['a sku that is a number', { items: [{ sku: 7, quantity: 1 }] }, 'items.0.sku'],
    ['a former order that is a number', { items, former: 7 }, 'former'],
    ['too many items', { items: Array(51).fill(items[0]) }, 'items'],
  ];
  for (const [what, body, field] of bad)
    it(`refuses an order with ${what}, and names ${field}`, async () => {
      const answer = await world.post(body);
      assert.equal(answer.status, 400);
      assert.equal(problem(answer.body).field, field);
      assert.match(
        problem(answer.body).message,
        /^[\w.]+: (an unknown field|expected (an?|at) .+)$/,
      );
      assert.ok(problem(answer.body).message.startsWith(`${field}: `));
      assert.equal(world.tokenRequests.length, 0);
    });

  it('refuses an order when its body is too long', async () => {
    assert.equal((await world.post({ items, customer: { name: 'x'.repeat(20_000) } })).status, 413);
  });
});

describe('a changed basket', () => {
  const changed = (former: string) => world.post({ items: [items[0]], former });

  it('closes the former order before it requests a token for the changed basket', async () => {
    const former = await placeOrder();
    const { status, body } = await changed(former);
    assert.equal(status, 201);
    assert.notEqual(body.order_id, former);
    assert.deepEqual(world.closes, [former]);
  });

  it('returns the former order without a token when that is paid', async () => {
    const former = await placeOrder();
    world.refusals.close = 'already_paid';
    world.placed.set(former, [{ outcome: 'succeeded', amount: '2160.75', currency: 'RUB' }]);
    const { body } = await changed(former);
    assert.deepEqual([body.order_id, body.state, body.order_token], [former, 'paid', undefined]);
    assert.equal(world.tokenRequests.length, 1);
  });

  it('requests no token when the relay does not say that the former order is closed', async () => {
    const former = await placeOrder();
    world.refusals.close = 'service_unavailable';
    assert.equal((await changed(former)).status, 503);
    assert.equal(world.tokenRequests.length, 1);
  });

  it('closes nothing when the shop does not know the former order', async () => {
    assert.equal((await changed('BL-AAAAAAAAAAAAAAAAAAAAAAAAA')).status, 201);
    assert.deepEqual(world.closes, []);
  });
});

describe('an order that is opened again', () => {
  it('requests a token with the same content when an order is opened again', async () => {
    const id = await placeOrder();
    const { body } = await world.call(`/orders/${id}`);
    assert.equal(body.order_token, `token-2-for-${id}`);
    assert.deepEqual(world.tokenRequests[0], world.tokenRequests[1]);
  });

  it('requests no token when the page asks for the state only', async () => {
    const { body } = await world.call(`/orders/${await placeOrder()}?token=no`);
    assert.ok(!('order_token' in body));
    assert.equal(world.tokenRequests.length, 1);
  });

  it('answers 404 when no order has this id', async () => {
    await placeOrder();
    for (const id of [
      'BL-AAAAAAAAAAAAAAAAAAAAAAAAA',
      'short',
      '..%2F..%2Fproducts',
      'x'.repeat(100),
    ]) {
      const answer = await world.call(`/orders/${id}`);
      assert.deepEqual([answer.status, problem(answer.body).code], [404, 'order_unknown']);
    }
  });
});

describe('the state of an order', () => {
  const attempt = (outcome: string, amount = '2160.75', currency = 'RUB') => ({
    outcome,
    amount,
    currency,
  });
  const states: [string, ReturnType<typeof attempt>[], string][] = [
    ['pending', [attempt('pending')], 'waiting'],
    ['confirming', [attempt('confirming')], 'waiting'],
    ['succeeded', [attempt('succeeded')], 'paid'],
    [
      'succeeded, with an amount that ends in one more zero',
      [{ outcome: 'succeeded', amount: '2160.750', currency: 'RUB' }],
      'paid',
    ],
    ['an earlier attempt succeeded late', [attempt('pending'), attempt('succeeded')], 'paid'],
    ['failed', [attempt('failed')], 'not_paid'],
    ['expired', [attempt('expired')], 'not_paid'],
    ['failed, and a new attempt', [attempt('pending'), attempt('failed')], 'waiting'],
    ['an unmapped status', [attempt('unmapped')], 'unknown'],
    ['in review', [attempt('review')], 'unknown'],
    ['a success of another sum', [attempt('succeeded', '1.00')], 'unknown'],
    ['a success in another currency', [attempt('succeeded', '2160.75', 'USD')], 'unknown'],
  ];
  for (const [what, attempts, state] of states)
    it(`reports the state ${state} when the relay answers: ${what}`, async () => {
      const id = await placeOrder();
      world.placed.set(id, attempts);
      const { body } = await world.call(`/orders/${id}`);
      assert.deepEqual([body.state, body.placed], [state, true]);
      assert.equal('order_token' in body, state !== 'paid');
    });

  it('reports an order as not placed before the customer has chosen how to pay', async () => {
    const { body } = await world.call(`/orders/${await placeOrder()}`);
    assert.deepEqual([body.state, body.placed], ['not_paid', false]);
  });

  it('reports an unknown state when the relay does not answer', async () => {
    const id = await placeOrder();
    world.relay.isUnreachable = true;
    const { status, body } = await world.call(`/orders/${id}`);
    assert.deepEqual([status, body.state, body.order_token], [200, 'unknown', undefined]);
  });

  it('ignores a state in the query string', async () => {
    const { body } = await world.call(`/orders/${await placeOrder()}?state=paid&status=20`);
    assert.equal(body.state, 'not_paid');
  });
});

describe('a relay that fails', () => {
  for (const [what, set] of [
    ['unreachable', () => (world.relay.isUnreachable = true)],
    ['failing', () => (world.relay.status = 500)],
  ] as const)
    it(`answers 503 with a clear sentence when the relay is ${what}`, async () => {
      set();
      const { status, body } = await world.post({ items });
      assert.equal(status, 503);
      assert.equal(problem(body).code, 'payment_unavailable');
      assert.match(problem(body).message, /Nothing was charged/);
      assert.ok(!JSON.stringify(body).includes('secret'));
    });

  it('answers 503 when the secret key is wrong, without showing the key', async () => {
    const { status, body } = await world.post({ items }, world.shopWith('wrong-key'));
    assert.equal(status, 503);
    assert.ok(!JSON.stringify(body).includes('wrong-key'));
  });
});
