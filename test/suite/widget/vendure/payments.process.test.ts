/**
 * The payments of the Vendure plugin on a real relay and PostgreSQL. Vendure itself is too large
 * for the tests: a stand-in answers what the plugin asks it, and `npm run vendure` runs all of it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import ts from 'typescript';
import {
  fakeEvent,
  startTestCheckout,
  type TestCheckout,
} from '../../../../relay/testing/index.js';
import { EVENTS_TABLE, type ReceiveEvents } from '../../../../widget/shop/index.js';
import { withSources } from '../../../tools/docs/run-block.js';
import { paidRelay, payIntent } from '../../support/paid-intent.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/wait.js';

const plugin = fileURLToPath(new URL('../../../../widget/vendure/', import.meta.url));
const SALE = { amount: '5.36', currency: 'USD' };
const TOTAL = 536;
const ORIGIN = 'http://127.0.0.1:9';

/** What the plugin imports of the libraries of Vendure. */
const STAND_INS = {
  '@nestjs/common': 'export const Inject = () => () => {}; export const Injectable = Inject;',
  '@vendure/core': `
    export class ConfigService {}
    export class OrderService {}
    export class Payment {}
    export class RequestContextService {}
    export class TransactionalConnection {}
    export const isGraphQlErrorResult = () => false;
    export const Logger = console;
    export const orderTotalIsCovered = ({ payments, totalWithTax }, state) =>
      payments.some((each) => each.state === state && each.amount >= totalWithTax);
    export const totalCoveredByPayments = () => 0;`,
  typeorm: `
    export const Entity = (table) => (entity) => { entity.table = table; };
    export const Column = () => () => {};
    export const Index = Column;
    export const PrimaryColumn = Column;`,
};

type PaymentRow = { id: number; order_id: number; transactionId: string; state: string };
type Context = { tx: Knex.Transaction };
type Entity = { name: string; table?: string };
type Settle = { success: boolean; metadata: object };
type Service = {
  receive: ReceiveEvents;
  cancelPayment(payment: object): Promise<{ success: boolean }>;
  settlePayment(order: object, payment: object): Promise<Settle>;
};
type Module = { PayCheckoutService: new (...dependencies: object[]) => Service };

/** What the plugin asks of TypeORM. */
const repository = (db: Knex, { table = 'payments' }: Entity) => ({
  existsBy: async (where: object) => (await db(table).where(where).first()) !== undefined,
  findOne: async ({ where }: { where: object }) => {
    const row: PaymentRow | undefined = await db(table).where(where).first();
    return row && { ...row, order: { id: row.order_id } };
  },
  insert: (row: object) => db(table).insert(row),
  maximum: async (column: string, where: object) =>
    (await db(table).where(where).max({ last: column }))[0]?.last,
  upsert: (row: object, [key = '']: string[]) => db(table).insert(row).onConflict(key).merge(),
});

describe('the Vendure plugin', () => {
  const folder = temporaryFolder('vendure-payments');
  let postgres: Postgres;
  let database: Knex;
  let checkout: TestCheckout;
  let service: Service;
  let open = 0;
  let mostOpen = 0;
  let settling = 0;

  before(async () => {
    postgres = await startPostgres({ syncs: false });
    database = knex({ client: 'pg', connection: await postgres.database() });
    await database.raw(`${EVENTS_TABLE}
      create table payments (id serial primary key, order_id integer, "transactionId" text,
        amount integer, state text, metadata json);
      create table pay_checkout_refunds (request_id text primary key,
        intent_id text, amount text, currency text, reason text);`);
    checkout = await startTestCheckout({ origins: [ORIGIN] });
    service = await startPlugin();
  });
  after(async () => {
    await database.destroy();
    await checkout.close();
    await postgres.stop();
  });

  async function loadPlugin(): Promise<Module> {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [name, code] of Object.entries(STAND_INS))
      writeFileSync(join(folder, `${name.replace('/', '-')}.js`), code);
    const compilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      useDefineForClassFields: false,
    };
    for (const file of readdirSync(plugin).filter((name) => name.endsWith('.ts'))) {
      let code = readFileSync(join(plugin, file), 'utf8');
      for (const name of Object.keys(STAND_INS))
        code = code.replace(`'${name}'`, `'./${name.replace('/', '-')}.js'`);
      const { outputText } = ts.transpileModule(withSources(code), { compilerOptions });
      writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), outputText);
    }
    return (await import(pathToFileURL(join(folder, 'service.js')).href)) as Module;
  }

  /** Another handler of the test settles too, or waits for what this one has locked. */
  async function isMet(): Promise<boolean> {
    const [row] = await database('pg_stat_activity').where({ wait_event_type: 'Lock' }).count();
    return settling === 2 || Number(row?.count) > 0;
  }

  /** @returns the order of Vendure, which one payment covers */
  const orderOf = async ({ tx }: Context, id: number) => ({
    id,
    code: `order ${id}`,
    currencyCode: SALE.currency,
    orderPlacedAt: new Date(),
    totalWithTax: TOTAL,
    payments: await tx('payments').where({ order_id: id }),
  });

  async function startPlugin(): Promise<Service> {
    const { PayCheckoutService } = await loadPlugin();
    const connection = {
      rawConnection: { getRepository: (entity: Entity) => repository(database, entity) },
      getRepository: ({ tx }: Context, entity: Entity) => repository(tx, entity),
      withTransaction: async (_ctx: object, run: (ctx: Context) => Promise<unknown>) => {
        mostOpen = Math.max(mostOpen, ++open);
        return database.transaction((tx) => run({ tx })).finally(() => open--);
      },
    };
    const orders = {
      findOne: orderOf,
      settlePayment: async (ctx: Context, id: number) => {
        const payment: PaymentRow = await ctx.tx('payments').where({ id }).first();
        const order = await orderOf(ctx, payment.order_id);
        settling++;
        await until(isMet, 'the handler of the other event');
        const { metadata, success } = await started.settlePayment(order, payment);
        assert.ok(success);
        await ctx.tx('payments').where({ id }).update({ state: 'Settled', metadata });
      },
    };
    const options = {
      relay: checkout.relay,
      secretKey: checkout.secret_key,
      tokenKey: checkout.order_token_key,
      eventsSecret: checkout.events_secret,
      productName: 'A lamp',
    };
    const config = { entityOptions: { moneyStrategy: { precision: 2 } } };
    const contexts = { create: async () => ({}) };
    const started = new PayCheckoutService(options, config, connection, orders, contexts);
    return started;
  }

  const newIntent = (): string => `vendure_${crypto.randomUUID().replaceAll('-', '')}`;

  async function deliver(intent_id: string, request_id: string): Promise<number> {
    const data = { ...SALE, intent_id, request_id };
    const { body, headers } = await fakeEvent('order.succeeded', data, {
      secret: checkout.events_secret,
    });
    return (await service.receive.parts(body, headers)).status;
  }

  it('settles one of two payments of an order whose events come at once', async () => {
    const paid: [string, string][] = [];
    for (const jti of [newIntent(), newIntent()]) {
      const payment = { order_id: 1, transactionId: jti, amount: TOTAL, state: 'AwaitingCustomer' };
      await database('payments').insert(payment);
      paid.push([jti, await payIntent(checkout, { ...SALE, jti, origin: ORIGIN })]);
    }
    const statuses = await Promise.all(paid.map((payment) => deliver(...payment)));
    assert.deepEqual(statuses, [200, 200]);
    const payments: PaymentRow[] = await database('payments');
    assert.deepEqual(payments.map(({ state }) => state).sort(), ['AwaitingCustomer', 'Settled']);
    const other = payments.find(({ state }) => state !== 'Settled')?.transactionId;
    assert.deepEqual(await database('pay_checkout_refunds').select('intent_id', 'reason'), [
      { intent_id: other, reason: 'the order is already paid' },
    ]);
  });

  it('leaves connections for the rest of the shop when many events come at once', async () => {
    mostOpen = 0;
    const intents = Array.from({ length: 20 }, newIntent);
    const statuses = await Promise.all(intents.map((intent) => deliver(intent, `of-${intent}`)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(mostOpen, 3);
  });

  for (const [resolved_as, expected] of [
    ['failed', true],
    [undefined, false],
  ] as const)
    it(`answers ${expected} when a payment resolved as ${resolved_as} is canceled`, async (t) => {
      t.mock.method(globalThis, 'fetch', paidRelay(resolved_as));
      const payment = { state: 'AwaitingCustomer', transactionId: newIntent() };
      assert.equal((await service.cancelPayment(payment)).success, expected);
    });
});
