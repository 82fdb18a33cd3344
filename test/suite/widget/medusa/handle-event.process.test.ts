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
import { withSources } from '../../../tools/docs/run-block.js';
import { paidRelay, payIntent } from '../../support/paid-intent.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const plugin = new URL('../../../../widget/medusa/', import.meta.url);
const SALE = { amount: '5.36', currency: 'USD' };
const ORIGIN = 'http://127.0.0.1:9';

/** What the plugin imports of Medusa. */
const STAND_INS = {
  '@medusajs/framework/utils': `data:text/javascript,
    export const ContainerRegistrationKeys = { QUERY: "query", LINK: "link" };
    export const Modules =
      { CART: "cart", LOCKING: "locking", ORDER: "order", PAYMENT: "payment" };
    export class AbstractPaymentProvider { constructor(_, config) { this.config = config; } }
    export class MathBN {}
    export class MedusaError extends Error {
      static Types = {};
      constructor(_, message) { super(message); }
    }`.replaceAll('\n', ''),
  '@medusajs/medusa/core-flows':
    `data:text/javascript,export const processPaymentWorkflow = ({ workflow }) => workflow;
    export const capturePaymentWorkflow = ({ recording }) => recording;`.replaceAll('\n', ''),
};

type Event = { type: string; data: typeof SALE & { intent_id: string; request_id: string } };
type Handle = (event: Event, context: { tx: Knex.Transaction }) => Promise<void>;
type Module = { createHandler(container: object, access: object): Handle };
type Provider = {
  authorizePayment(input: object): Promise<{ status: string }>;
  capturePayment(input: object): Promise<object>;
  deletePayment(input: object): Promise<object>;
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
  let providers: ProviderModule;

  before(async () => {
    postgres = await startPostgres({ syncs: false });
    database = knex({ client: 'pg', connection: await postgres.database() });
    await database.raw(`create table pay_checkout_refunds (request_id text primary key,
      intent_id text, amount text, currency text, reason text)`);
    checkout = await startTestCheckout({ origins: [ORIGIN] });
    handlers = (await load('handle-event.ts')) as Module;
    providers = (await load('providers/pay-checkout/service.ts')) as ProviderModule;
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

  function startProvider(warnings: string[], more: object = {}): Provider {
    const options = {
      relay: checkout.relay,
      secretKey: checkout.secret_key,
      tokenKey: checkout.order_token_key,
      eventsSecret: checkout.events_secret,
      productName: 'A lamp',
      ...more,
    };
    const logger = { warn: (text: string) => warnings.push(text) };
    providers.PayCheckoutProvider.validateOptions(options);
    const container = { logger, __pg_connection__: database };
    return new providers.PayCheckoutProvider(container, options);
  }

  /** @returns the request_id of the order with which a customer paid the session */
  const pay = (jti: string): Promise<string> =>
    payIntent(checkout, { ...SALE, jti, origin: ORIGIN });

  /**
   * A cart of Medusa, which completes it by the first of its sessions only.
   *
   * @param paid the request_id of each paid session
   */
  function createCart(ids: string[], paid: Record<string, string>) {
    const handled: string[] = [];
    const payments: {
      id: string;
      created_at: Date;
      data: object;
      of: string;
      captures: object[];
    }[] = [];
    const order = {
      id: 'order_1',
      status: 'pending',
      payment_collections: [{}],
      transactions: [{ reference_id: 'capture_1' }],
    };
    const cart: { completed_at: Date | null } = { completed_at: new Date() };
    /** What the plugin wrote to finish the order. */
    const finished: object[] = [];
    let isLocked = false;
    const write = async (what: object): Promise<void> => {
      assert.ok(isLocked);
      finished.push(what);
    };
    let sessions = ids.map((id) => ({ id, status: 'pending', data: SALE }));
    let hasOrder = false;
    const authorize = (of = ''): void => {
      const data = { request_id: paid[of] };
      if (!paid[of] || payments.some((payment) => payment.of === of)) return;
      const created_at = new Date(payments.length);
      payments.push({ id: 'pay_1', created_at, data, of, captures: [{ id: 'capture_1' }] });
    };
    const complete = (): void => {
      const first = sessions[0]?.id;
      if (hasOrder || !paid[first ?? '']) return;
      authorize(first);
      hasOrder = true;
    };
    const query = {
      graph: async ({ entity, filters }: { entity: string; filters: { id: string } }) => {
        if (entity === 'cart_payment_collection') return { data: [{ cart_id: 'cart_1' }] };
        if (entity === 'order_cart') return { data: hasOrder ? [{ cart, order }] : [] };
        const payment_collection = { payments, payment_sessions: sessions };
        const found = sessions.filter(({ id }) => id === filters.id);
        const payment_collection_id = 'pay_col_1';
        const of = { payment_collection, payment_collection_id };
        return { data: found.map((session) => ({ ...session, ...of })) };
      },
    };
    const deletePaymentSession = async (id: string): Promise<void> => {
      if (paid[id]) throw new Error('already_paid');
      sessions = sessions.filter((session) => session.id !== id);
    };
    const workflow = {
      run: async ({ input }: { input: { data: { session_id: string } } }) => {
        handled.push(input.data.session_id);
        authorize(input.data.session_id);
        complete();
      },
    };
    const execute = async <T>(key: string, job: () => Promise<T>): Promise<T> => {
      assert.equal(key, 'cart_1');
      isLocked = true;
      return job().finally(() => (isLocked = false));
    };
    const modules: Record<string, object> = {
      cart: { updateCarts: (id: string) => write({ ended: id }) },
      link: { create: (link: object) => write({ link }) },
      locking: { execute },
      payment: { deletePaymentSession },
      query,
    };
    const recording = { run: ({ input }: { input: object }) => write(input) };
    return {
      authorize,
      cart,
      complete,
      container: { resolve: (name: string) => modules[name], recording, workflow },
      finished,
      handled,
      order,
      facts: () => ({ hasOrder, sessions: sessions.map(({ id }) => id) }),
    };
  }

  async function handle({ container }: ReturnType<typeof createCart>, event: Event): Promise<void> {
    const handler = handlers.createHandler(container, checkout);
    await database.transaction((tx) => handler(event, { tx }));
  }

  /** @returns the sessions whose carts were completed */
  async function completedAfter(...events: Event[]): Promise<string[]> {
    const paid = events.map(({ data }) => [data.intent_id, data.request_id] as const);
    const cart = createCart([paid[0]?.[0] ?? ''], Object.fromEntries(paid));
    for (const event of events) await handle(cart, event);
    return cart.handled;
  }

  const newSession = (): string => `payses_${crypto.randomUUID().replaceAll('-', '')}`;

  const paidEvent = (intent_id: string, request_id: string): Event => ({
    type: 'order.succeeded',
    data: { ...SALE, intent_id, request_id },
  });

  const noted = (sessions: string[]): Promise<{ intent_id: string; reason: string }[]> =>
    database('pay_checkout_refunds').whereIn('intent_id', sessions).select('intent_id', 'reason');

  it('completes no cart for a payment that was noted for a refund before a restore', async () => {
    for (const type of ['order.duplicate_payment', 'order.late_payment']) {
      const intent_id = newSession();
      const data = { ...SALE, intent_id, request_id: await pay(intent_id) };
      const paid = { type: 'order.succeeded', data };
      assert.deepEqual(await completedAfter({ type, data }, paid), [], type);
      const payment = { data: { ...SALE, intent_id }, context: { idempotency_key: intent_id } };
      await assert.rejects(startProvider([]).authorizePayment(payment), /is to be paid back/, type);
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

  it('completes a cart by the session that was paid, and closes the one before it', async () => {
    const [unpaid, session] = [newSession(), newSession()];
    const request_id = await pay(session);
    const cart = createCart([unpaid, session], { [session]: request_id });
    await handle(cart, paidEvent(session, request_id));
    assert.deepEqual(cart.facts(), { hasOrder: true, sessions: [session] });
    assert.deepEqual(await noted([unpaid, session]), []);
  });

  it('notes the second of two payments of a cart, whoever sees it first', async () => {
    const sessions = [newSession(), newSession()];
    const paid: Record<string, string> = {};
    for (const session of sessions) paid[session] = await pay(session);
    for (const seenFirst of ['the job', 'the page', 'the webhook'])
      for (const [first = '', second = ''] of [sessions, sessions.toReversed()]) {
        await database('pay_checkout_refunds').delete();
        const cart = createCart(sessions, paid);
        const page = cart.container.workflow.run;
        if (seenFirst === 'the webhook') for (const each of [first, second]) cart.authorize(each);
        if (seenFirst === 'the page')
          cart.container.workflow.run = async (options) => {
            cart.complete();
            await page(options);
          };
        for (const session of [first, second])
          await handle(cart, paidEvent(session, paid[session] ?? ''));
        assert.ok(cart.facts().hasOrder);
        const [refund, ...others] = await noted(sessions);
        assert.deepEqual(others, [], seenFirst);
        assert.equal(refund?.reason, 'already paid', seenFirst);
      }
  });

  it('finishes an order that an ended process left, unless it was canceled', async () => {
    const link = {
      order: { order_id: 'order_1' },
      payment: { payment_collection_id: 'pay_col_1' },
    };
    const record = { payment_id: 'pay_1' };
    for (const status of ['pending', 'canceled'])
      for (const [missing, expected] of [
        [{}, []],
        [{ payment_collections: [], transactions: [] }, [{ link }, record]],
        [{ transactions: [{ reference_id: 'capture_2' }] }, [record]],
        [{ completed_at: null }, [{ ended: 'cart_1' }]],
      ] as const) {
        const session = newSession();
        const request_id = await pay(session);
        const shop = createCart([session], { [session]: request_id });
        Object.assign('completed_at' in missing ? shop.cart : shop.order, missing);
        shop.order.status = status;
        await handle(shop, paidEvent(session, request_id));
        assert.deepEqual(shop.finished, status === 'canceled' ? [] : expected);
        const reasons = (await noted([session])).map(({ reason }) => reason);
        assert.deepEqual(reasons, status === 'canceled' ? ['the order was canceled'] : []);
      }
  });

  it('takes no payment of mode test where it is live, and says why', async () => {
    const intent_id = newSession();
    await pay(intent_id);
    const payment = { data: { ...SALE, intent_id }, context: { idempotency_key: intent_id } };
    const secret = checkout.events_secret;
    const event = await fakeEvent('order.succeeded', { intent_id, ...SALE }, { secret });
    const webhook = { rawData: event.body, headers: event.headers };
    const warnings: string[] = [];

    const test = startProvider(warnings);
    assert.equal((await test.authorizePayment(payment)).status, 'captured');
    assert.ok(await test.capturePayment(payment));
    assert.equal((await test.getWebhookActionAndData(webhook)).action, 'captured');
    assert.deepEqual(warnings, []);

    const live = startProvider(warnings, { livemode: true });
    await assert.rejects(live.authorizePayment(payment), /the order is not of mode live/);
    await assert.rejects(live.capturePayment(payment), /the order is not of mode live/);
    assert.equal((await live.getWebhookActionAndData(webhook)).action, 'not_supported');
    assert.match(warnings.join('\n'), /the event evt_[\w-]+ of another mode was not handled/);
    const validate = () => startProvider(warnings, { livemode: 'true' });
    assert.throws(validate, /livemode must be true or false/);
  });

  it('deletes a paid session only when a person had resolved its order as failed', async (t) => {
    const data = { ...SALE, intent_id: 'payses_9', order_token: 'token' };
    const fetchMock = t.mock.method(globalThis, 'fetch', paidRelay('failed'));
    await startProvider([]).deletePayment({ data });
    fetchMock.mock.mockImplementation(paidRelay());
    await assert.rejects(startProvider([]).deletePayment({ data }), /already_paid|was not closed/);
  });
});
