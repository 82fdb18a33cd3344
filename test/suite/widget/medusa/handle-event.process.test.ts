/**
 * The Medusa plugin handles the events of a restored relay, on a real relay and PostgreSQL. Medusa
 * itself is too large for the tests: a stand-in answers what the handler asks it, and
 * `npm run medusa` runs all of it.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import { startTestCheckout, type TestCheckout } from '../../../../relay/testing/index.js';
import { fetchOrder, signOrderToken } from '../../../../widget/shop/index.js';
import { withSources } from '../../../tools/docs/run-block.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/wait.js';

const plugin = new URL('../../../../widget/medusa/', import.meta.url);
const SALE = { amount: '5.36', currency: 'USD' };
const ORIGIN = 'http://127.0.0.1:9';

/** What the handler imports of Medusa. */
const STAND_INS = {
  '@medusajs/framework/utils':
    'data:text/javascript,export const ContainerRegistrationKeys = { QUERY: "query" };',
  '@medusajs/medusa/core-flows':
    'data:text/javascript,export const processPaymentWorkflow = ({ workflow }) => workflow;',
  './mapping.js': new URL('mapping.ts', plugin).href,
};

type Event = { type: string; data: typeof SALE & { intent_id: string; request_id: string } };
type Handle = (event: Event, context: { tx: Knex.Transaction }) => Promise<void>;
type Module = { createHandler(container: object, access: object): Handle };

describe('the Medusa plugin after the relay’s ledger was restored', () => {
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
    let program = withSources(readFileSync(new URL('handle-event.ts', plugin), 'utf8'));
    for (const [name, other] of Object.entries(STAND_INS))
      program = program.replace(`'${name}'`, `'${other}'`);
    const file = join(folder, 'handle-event.mts');
    writeFileSync(file, program);
    handlers = (await import(pathToFileURL(file).href)) as Module;
  });
  after(async () => {
    await database.destroy();
    await checkout.close();
    await postgres.stop();
  });

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

  it('completes no cart for a payment that it has noted for a refund', async () => {
    for (const type of ['order.duplicate_payment', 'order.late_payment']) {
      const intent_id = `payses_${crypto.randomUUID().replaceAll('-', '')}`;
      const data = { ...SALE, intent_id, request_id: await pay(intent_id) };
      const paid = { type: 'order.succeeded', data };
      assert.deepEqual(await completedAfter({ type, data }, paid), [], type);
      const other = { ...data, request_id: `not-${data.request_id}` };
      assert.deepEqual(await completedAfter({ type: 'order.succeeded', data: other }), [intent_id]);
    }
  });
});
