/**
 * The Medusa plugin on a real relay and PostgreSQL: the events of a restored relay, and orders of
 * mode test. Medusa itself is too large for the tests: a stand-in answers what the plugin asks it,
 * and `npm run medusa` runs all of it.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import {
  fakeEvent,
  startTestCheckout,
  type TestCheckout,
} from '../../../../relay/testing/index.js';
import { fetchOrder, signOrderToken } from '../../../../widget/shop/index.js';
import { withSources } from '../../../tools/docs/run-block.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/wait.js';

const plugin = new URL('../../../../widget/medusa/', import.meta.url);
const SALE = { amount: '5.36', currency: 'USD' };
const ORIGIN = 'http://127.0.0.1:9';

/** What the plugin imports of Medusa. */
const STAND_INS = {
  '@medusajs/framework/utils': `data:text/javascript,
    export const ContainerRegistrationKeys = { QUERY: "query" };
    export class AbstractPaymentProvider { constructor(_, config) { this.config = config; } }
    export class MathBN {}
    export class MedusaError extends Error {
      static Types = {};
      constructor(_, message) { super(message); }
    }`.replaceAll('\n', ''),
  '@medusajs/medusa/core-flows':
    'data:text/javascript,export const processPaymentWorkflow = ({ workflow }) => workflow;',
};

type Event = { type: string; data: typeof SALE & { intent_id: string; request_id: string } };
type Handle = (event: Event, context: { tx: Knex.Transaction }) => Promise<void>;
type Module = { createHandler(container: object, access: object): Handle };
type Provider = {
  authorizePayment(input: object): Promise<{ status: string }>;
  capturePayment(input: object): Promise<object>;
  getWebhookActionAndData(payload: object): Promise<{ action: string }>;
};
type ProviderModule = {
  PayCheckoutProvider: {
    new (container: object, options: object): Provider;
    validateOptions(options: object): void;
  };
};

describe('the Medusa plugin', () => {
  const folder = temporaryFolder('medusa-handler');
  let postgres: Postgres;
  let database: Knex;
  let checkout: TestCheckout;
  let handlers: Module;

  before(async () => {
    postgres = await startPostgres({ syncs: false });
    database = knex({ client: 'pg', connection: await postgres.database() });
    await database.raw(`create table pay_checkout_refunds (request_id text primary key,
      intent_id text, amount text, currency text, reason text)`);
    checkout = await startTestCheckout({ origins: [ORIGIN] });
    handlers = (await load('handle-event.ts')) as Module;
  });
  after(async () => {
    await database.destroy();
    await checkout.close();
    await postgres.stop();
  });

  /** Imports a file of the plugin, with the stand-ins in place of Medusa. */
  async function load(path: string): Promise<unknown> {
    const source = new URL(path, plugin);
    let program = withSources(readFileSync(source, 'utf8')).replace(
      /'(\.[^']*)\.js'/g,
      (_all, name: string) => `'${new URL(`${name}.ts`, source).href}'`,
    );
    for (const [name, other] of Object.entries(STAND_INS))
      program = program.replace(`'${name}'`, `'${other}'`);
    const file = join(folder, `${path.replaceAll('/', '-')}.mts`);
    writeFileSync(file, program);
    return import(pathToFileURL(file).href);
  }

  /** @returns the request_id of the order with which a customer paid the session */
  async function pay(jti: string): Promise<string> {
    const { order_token_key: key, relay, secret_key } = checkout;
    const terms = { ...SALE, product_name: 'A lamp', customer_ref_id: 'customer-42' };
    const order_token = await signOrderToken({ aud: relay, jti, ...terms }, key);
    const response = await fetch(`${relay}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ order_token, attempt: crypto.randomUUID(), option: 'sbp' }),
    });
    assert.equal(response.status, 200, await response.text());
    await checkout.customerPhone.confirm();
    const find = async () => (await fetchOrder({ relay, secret_key }, { intent_id: jti })).order;
    await until(async () => (await find()).outcome === 'succeeded', 'the payment');
    return (await find()).request_id;
  }

  /** @returns the sessions whose carts were completed */
  async function completedAfter(...events: Event[]): Promise<string[]> {
    const completed: string[] = [];
    const query = {
      graph: async ({ entity, filters }: { entity: string; filters: { id: string } }) => ({
        data: entity === 'payment_session' ? [{ id: filters.id, data: SALE }] : [],
      }),
    };
    const workflow = {
      run: async ({ input }: { input: { data: { session_id: string } } }) =>
        completed.push(input.data.session_id),
    };
    const container = { resolve: () => query, workflow };
    const handle = handlers.createHandler(container, checkout);
    for (const event of events) await database.transaction((tx) => handle(event, { tx }));
    return completed;
  }

  it('completes no cart for a payment that was noted for a refund before a restore', async () => {
    for (const type of ['order.duplicate_payment', 'order.late_payment']) {
      const intent_id = `payses_${crypto.randomUUID().replaceAll('-', '')}`;
      const data = { ...SALE, intent_id, request_id: await pay(intent_id) };
      const paid = { type: 'order.succeeded', data };
      assert.deepEqual(await completedAfter({ type, data }, paid), [], type);
      const other = { ...data, request_id: `not-${data.request_id}` };
      assert.deepEqual(await completedAfter({ type: 'order.succeeded', data: other }), [intent_id]);
    }
  });

  it('notes a payment of an order that a person has resolved as failed', async () => {
    const request_id = 'paid-after-the-decision';
    const data = { ...SALE, intent_id: 'payses_1', request_id, resolved_as: 'failed' };
    assert.deepEqual(await completedAfter({ type: 'order.succeeded', data }), []);
    const noted = await database('pay_checkout_refunds').where({ request_id }).select('reason');
    assert.deepEqual(noted, [{ reason: 'order.succeeded' }]);
  });

  it('takes no payment of mode test where it is live, and says why', async () => {
    const { PayCheckoutProvider } = (await load(
      'providers/pay-checkout/service.ts',
    )) as ProviderModule;
    const intent_id = `payses_${crypto.randomUUID().replaceAll('-', '')}`;
    await pay(intent_id);
    const payment = { data: { ...SALE, intent_id }, context: { idempotency_key: intent_id } };
    const secret = checkout.events_secret;
    const event = await fakeEvent('order.succeeded', { intent_id, ...SALE }, { secret });
    const webhook = { rawData: event.body, headers: event.headers };
    const warnings: string[] = [];
    const container = { logger: { warn: (text: string) => warnings.push(text) } };
    const options = {
      relay: checkout.relay,
      secretKey: checkout.secret_key,
      tokenKey: checkout.order_token_key,
      eventsSecret: secret,
      productName: 'A lamp',
    };

    const test = new PayCheckoutProvider(container, options);
    assert.equal((await test.authorizePayment(payment)).status, 'captured');
    assert.ok(await test.capturePayment(payment));
    assert.equal((await test.getWebhookActionAndData(webhook)).action, 'captured');
    assert.deepEqual(warnings, []);

    const live = new PayCheckoutProvider(container, { ...options, livemode: true });
    await assert.rejects(live.authorizePayment(payment), /the order is not of mode live/);
    await assert.rejects(live.capturePayment(payment), /the order is not of mode live/);
    assert.equal((await live.getWebhookActionAndData(webhook)).action, 'not_supported');
    assert.match(warnings.join('\n'), /the event evt_[\w-]+ of another mode was not handled/);
    const isText = { ...options, livemode: 'true' };
    const validate = (): void => PayCheckoutProvider.validateOptions(isText);
    assert.throws(validate, /livemode must be true or false/);
  });
});
