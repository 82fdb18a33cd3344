/**
 * A catalogue price is fixed per order: an existing order keeps its price, and a new order gets the
 * present price.
 */
import { expect } from '@open-wc/testing';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createWorld, type testConfig, type World } from '../../support/world.js';

const tee = (amount: string): NonNullable<typeof testConfig.catalogue> => ({
  tee: { amount, currency: 'USD', product_name: 'T-shirt', max_quantity: 5 },
});

describe('a catalogue price that changes', () => {
  const attempt = crypto.randomUUID();
  const ledger = memoryLedger();
  const before = createWorld({ ledger });
  const priced = (amount: string): World =>
    createWorld({ ledger, sandbox: before.sandbox, config: { catalogue: tee(amount) } });
  const pay = (world: World, more: object): ReturnType<World['ask']> =>
    world.ask('/v1/pay', { sku: 'tee', quantity: 2, attempt, ...more });

  it('keeps an order’s price when the catalogue changes, and offers the new price', async () => {
    const { order } = (await pay(before, { option: 'qr' })).body;
    expect(order?.amount).to.equal('39.80');
    const later = priced('250.00');
    const { body } = await later.ask('/v1/checkout', { sku: 'tee', quantity: 2, attempt });
    const { amount, options } = body.checkout as { amount: string; options: { id: string }[] };
    expect([body.order?.amount, amount]).to.deep.equal(['39.80', '500.00']);
    // the option for large amounts begins at 400
    expect(options.map(({ id }) => id)).to.include('large');
  });

  it('charges a replacement at today’s price, if the option’s bounds allow it', async () => {
    const later = priced('250.00');
    const { order } = (await pay(later, { option: 'qr' })).body;
    const replaces = { request_id: order!.request_id, order_key: order!.order_key };
    const replaced = (await pay(later, { option: 'large', replaces })).body.order;
    expect(replaced?.amount).to.equal('500.00');
    expect(later.pays().at(-1)?.amount).to.equal('500.00');
    const cheap = await pay(priced('1.00'), {
      option: 'large',
      replaces: { request_id: replaced!.request_id, order_key: replaced!.order_key },
    });
    expect((cheap.body.error as { code: string }).code).to.equal('option_not_available');
  });

  it('places nothing when the page has shown another amount or currency', async () => {
    const world = createWorld({ sandbox: before.sandbox, config: { catalogue: tee('250.00') } });
    const payAfterShowing = async (expected: object, fields: object = {}): Promise<unknown> => {
      const { body } = await world.ask('/v1/pay', {
        sku: 'tee',
        quantity: 2,
        ...fields,
        attempt: crypto.randomUUID(),
        option: 'large',
        expect: expected,
      });
      return (body.error as { code: string } | undefined)?.code ?? body.order?.amount;
    };
    expect([
      await payAfterShowing({ amount: '39.80', currency: 'USD' }),
      await payAfterShowing({ amount: '500.00', currency: 'EUR' }),
    ]).to.deep.equal(['not_as_expected', 'not_as_expected']);
    expect(world.pays().filter(({ amount }) => amount === '500.00').length).to.equal(1);
    expect(await payAfterShowing({ amount: '500', currency: 'USD' })).to.equal('500.00');
    const open = { sku: undefined, quantity: undefined, amount: '450', currency: 'USD' };
    const named = { ...open, product_name: 'A tree' };
    expect([
      await payAfterShowing({ amount: '45', currency: 'USD' }, named),
      await payAfterShowing({ amount: '450.00', currency: 'USD' }, named),
    ]).to.deep.equal(['not_as_expected', '450']);
  });

  it('shows an existing order only to a page that has shown its amount', async () => {
    const own = crypto.randomUUID();
    const order = { sku: 'tee', quantity: 1, attempt: own, option: 'qr' };
    await before.ask('/v1/pay', order);
    const dearer = priced('29.90');
    const payAfterShowing = async (amount: string): Promise<unknown> => {
      const seen = { ...order, expect: { amount, currency: 'USD' } };
      const { body } = await dearer.ask('/v1/pay', seen);
      return (body.error as { code: string } | undefined)?.code ?? body.order?.amount;
    };
    expect([await payAfterShowing('29.90'), await payAfterShowing('19.90')]).to.deep.equal([
      'not_as_expected',
      '19.90',
    ]);
    expect(dearer.pays().some(({ amount }) => amount === '29.90')).to.equal(false);
  });

  it('refuses to replace an order when the item of its sku has changed', async () => {
    const own = crypto.randomUUID();
    const { body } = await before.ask('/v1/pay', { sku: 'tee', attempt: own, option: 'qr' });
    const replaces = { request_id: body.order!.request_id, order_key: body.order!.order_key };
    const item = tee('19.90').tee!;
    for (const change of [
      { product_name: 'Socks' },
      { currency: 'EUR' },
      { metadata: { a: 'b' } },
    ]) {
      const world = createWorld({
        ledger,
        sandbox: before.sandbox,
        config: { catalogue: { tee: { ...item, ...change } } },
      });
      const again = { sku: 'tee', attempt: own, option: 'qr', replaces };
      const answer = await world.ask('/v1/pay', again);
      const { code } = answer.body.error as { code: string };
      expect(code, JSON.stringify(change)).to.equal('intent_conflict');
      // the order is still shown with the product that was sold
      const shown = await world.ask('/v1/checkout', { sku: 'tee', attempt: own });
      const { product_name } = shown.body.checkout as { product_name: string };
      expect(product_name).to.equal('T-shirt');
    }
  });

  it('refuses another quantity under the same attempt', async () => {
    const { body } = await pay(before, { option: 'qr', quantity: 3 });
    expect((body.error as { code: string }).code).to.equal('intent_conflict');
  });
});
