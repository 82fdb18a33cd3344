/** A restored ledger that has an intent's first order and lacks the orders that replaced it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ORDERS } from '../../../../relay/orders/order-limits.js';
import { systemClock } from '../../../../relay/runtime.js';
import { bearer, createWorld, openIntent, stillClock, type World } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { backUp, newLedger, restart } from './restored-ledger.js';
import { closeIntent, findOrder, markRestored, replaceOrder } from '../../support/ledger-calls.js';

const folder = temporaryFolder('successors');

type Placed = { request_id: string; order_key: string };
type Attempt = { request_id: string; outcome: string };
type Restored = {
  world: World;
  placed: Placed[];
  pay: (more?: object) => ReturnType<World['ask']>;
  checkout: (asked?: World) => ReturnType<World['ask']>;
  /** Moves the relay's elapsed time ahead. */
  pass: (ms: number) => void;
};
type Scene = {
  /** The number of orders that the backup has. */
  kept?: number;
  /** Options of orders that replace each other; the service refuses an order named `refused`. */
  options?: readonly string[];
  /** Ordinals that are paid after the backup. */
  paid?: readonly number[];
  /** What the orders are for. */
  sale?: object;
};

/** Places orders that replace each other, and restores a backup that was made between them. */
async function restore({
  kept = 1,
  options = ['qr', 'card'],
  paid = [],
  sale = openIntent,
}: Scene): Promise<Restored> {
  const before = createWorld({ ledger: await newLedger(folder), clock: stillClock });
  // a starting relay generates its keys before it accepts an order
  await before.relay.fetch(new Request('https://shop.example/readyz'));
  const attempt = crypto.randomUUID();
  const payAs =
    (world: World) =>
    (more: object = {}): ReturnType<World['ask']> =>
      world.ask('/v1/pay', { ...sale, attempt, option: 'qr', ...more });
  const placed: Placed[] = [];
  let backup = '';
  for (const option of options) {
    if (placed.length === kept) backup = await backUp(folder, before.ledger);
    const last = placed.at(-1);
    const replaces = last && { request_id: last.request_id, order_key: last.order_key };
    if (option === 'refused') before.sandbox.faults.add({ operation: 'pay', fault: 'refusal' });
    const { body } = await payAs(before)({
      option: option === 'refused' ? 'account' : option,
      ...(replaces && { replaces }),
    });
    assert.ok(body.order);
    placed.push(body.order);
  }
  for (const ordinal of paid) {
    const order = before.sandbox.orders.byRequest(placed[ordinal - 1]?.request_id ?? '');
    assert.ok(order);
    before.sandbox.orders.act(order, 'confirm');
  }
  let ahead = 0;
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
  const world = await restart(before, backup, clock);
  return {
    world,
    placed,
    pay: payAs(world),
    checkout: (asked = world) => asked.ask('/v1/checkout', { ...sale, attempt }),
    pass: (ms) => void (ahead += ms),
  };
}

const shown = ({ body }: Awaited<ReturnType<World['ask']>>): unknown[] => [
  body.order?.request_id,
  body.order?.outcome,
];
const attemptsOf = async (world: World, request_id = ''): Promise<Attempt[]> =>
  (await world.ask('/v1/query', { request_id }, bearer)).body.orders as Attempt[];
const queryCount = (world: World): number =>
  world.sandbox.calls.filter(({ operation }) => operation === 'query').length;

describe('a restored ledger that lacks replacements', () => {
  it('shows a lost paid replacement when its customer pays again', async () => {
    const { pay, placed, world } = await restore({ paid: [2] });
    const sent = world.pays().length;
    assert.deepEqual(shown(await pay()), [placed[1]?.request_id, 'succeeded']);
    assert.equal(world.pays().length, sent);
  });

  it('shows a lost paid replacement when its customer opens the checkout again', async () => {
    const { checkout, placed } = await restore({ paid: [2] });
    assert.deepEqual(shown(await checkout()), [placed[1]?.request_id, 'succeeded']);
  });

  it('shows a lost paid replacement when its customer opens the first order’s link', async () => {
    const { placed, world } = await restore({ paid: [2] });
    const [one] = placed;
    const resume = { request_id: one?.request_id, order_key: one?.order_key };
    const linked = await world.ask('/v1/checkout', { resume });
    assert.deepEqual(shown(linked), [placed[1]?.request_id, 'succeeded']);
  });

  for (const wait of [0, 1])
    it(`shows a page no code when the order’s replacement is lost, with wait ${wait}`, async () => {
      const { placed, world } = await restore({});
      const { order_key, request_id } = placed[0] ?? {};
      const { body } = await world.ask('/v1/query', { request_id, order_key, wait });
      assert.deepEqual([body.order?.replaced, body.order?.next_action], [true, null]);
    });

  it('takes the code from a page that waits when the lost replacement arrives later', async () => {
    const { pass, placed, world } = await restore({});
    const { order_key, request_id } = placed[0] ?? {};
    const poll = (known_version = 0) =>
      world.ask('/v1/query', { request_id, order_key, wait: 1, known_version });
    const { faults } = world.sandbox;
    faults.add({ operation: 'query', fault: 'refusal', value: '4040', times: 0 });
    const first = (await poll()).body.order;
    assert.equal(first?.next_action?.kind, 'scan_qr');
    faults.clear();
    pass(30_000);
    for (let times = 0; times < 2; times++) await world.relay.tick();
    const { body } = await poll(first?.version);
    assert.deepEqual([body.order?.replaced, body.order?.next_action], [true, null]);
  });

  it('shows a lost paid replacement of an item that is no longer in the catalogue', async () => {
    const sale = { sku: 'tee', quantity: 1 };
    const { checkout, placed, world } = await restore({ paid: [2], sale });
    const { ledger, sandbox } = world;
    const withoutItem = createWorld({ ledger, sandbox, config: { catalogue: {} } });
    assert.deepEqual(shown(await checkout(withoutItem)), [placed[1]?.request_id, 'succeeded']);
  });

  it('shows the last lost replacement as wait when none is paid', async () => {
    const { checkout, pay, placed } = await restore({ options: ['qr', 'card', 'wallet'] });
    assert.deepEqual(shown(await checkout()), [placed[2]?.request_id, 'pending']);
    assert.equal((await pay()).body.order?.next_action?.kind, 'wait');
  });

  it('finds a paid replacement that follows a refused replacement', async () => {
    const { pay, placed, world } = await restore({ options: ['qr', 'refused', 'card'], paid: [3] });
    assert.deepEqual(shown(await pay()), [placed[2]?.request_id, 'succeeded']);
    assert.equal(world.sandbox.orders.byRequest(placed[1]?.request_id ?? ''), undefined);
  });

  it('continues from the last ordinal when the customer replaces a found order', async () => {
    const { pay, placed, world } = await restore({ options: ['qr', 'refused', 'card'] });
    const { body } = await pay();
    const { order_key = '', request_id = '' } = body.order ?? {};
    assert.equal(request_id, placed[2]?.request_id);
    const next = await pay({ option: 'wallet', replaces: { request_id, order_key } });
    assert.equal(next.body.order?.outcome, 'pending');
    const ids = (await attemptsOf(world, request_id)).map((attempt) => attempt.request_id);
    assert.deepEqual(ids, [placed[0]?.request_id, request_id, next.body.order.request_id]);
  });

  it('finds all orders of an intent that the backup lacks', async () => {
    const { pay, placed, world } = await restore({ kept: 0, paid: [2] });
    assert.deepEqual(shown(await pay()), [placed[1]?.request_id, 'succeeded']);
    assert.equal((await attemptsOf(world, placed[0]?.request_id)).length, 2);
  });

  it('answers the shop’s backend with all lost replacements, also when two are paid', async () => {
    const { placed, world } = await restore({ options: ['qr', 'card', 'wallet'], paid: [2, 3] });
    const attempts = await attemptsOf(world, placed[0]?.request_id);
    assert.deepEqual(
      attempts.map(({ outcome, request_id }) => [request_id, outcome]),
      placed.map(({ request_id }, index) => [request_id, index === 0 ? 'pending' : 'succeeded']),
    );
  });

  it('reports a second payment of a lost replacement when the first order is paid', async () => {
    const { placed, world } = await restore({ paid: [1, 2] });
    const [one, two] = placed;
    const row = await findOrder(world.ledger, one?.request_id ?? '');
    assert.ok(row);
    // the service's signal of the first order arrives before anybody asks for the intent
    await replaceOrder(world.ledger, { ...row, outcome: 'succeeded', version: row.version + 1 });
    const attempts = await attemptsOf(world, one?.request_id);
    assert.deepEqual(
      attempts.map(({ outcome, request_id }) => [request_id, outcome]),
      [one, two].map((order) => [order?.request_id, 'succeeded']),
    );
    const { rows } = await world.ledger.listEvents(null, 100, { intentId: row.intent_id });
    const duplicates = rows.filter(({ type }) => type === 'order.duplicate_payment');
    assert.equal(duplicates.length, 1);
    const intent = await world.ledger.intent(row.intent_id);
    assert.equal(intent?.current_request_id, one?.request_id);
  });

  it('answers about a paid intent also while the service does not answer queries', async () => {
    const { placed, world } = await restore({});
    const row = await findOrder(world.ledger, placed[0]?.request_id ?? '');
    assert.ok(row);
    await replaceOrder(world.ledger, { ...row, outcome: 'succeeded', version: row.version + 1 });
    world.sandbox.faults.add({ operation: 'query', fault: 'broken_json', times: 0 });
    assert.equal((await attemptsOf(world, row.request_id)).length, 1);
  });

  it('lists each order once for an intent that the shop closed', async () => {
    const { placed, world } = await restore({});
    const [one] = placed;
    const order = await findOrder(world.ledger, one?.request_id ?? '');
    const intent = await world.ledger.intent(order?.intent_id ?? '');
    assert.ok(intent);
    await closeIntent(world.ledger, intent, { at: Date.now(), reason: 'sold out' });
    for (let times = 0; times < 2; times++)
      assert.equal((await attemptsOf(world, one?.request_id)).length, 2);
  });

  it('queries the replacements of an intent once in 30 s when a page asks often', async () => {
    const { checkout, pass, pay, world } = await restore({ options: ['qr'], kept: 0 });
    await pay();
    pass(30_000);
    const before = queryCount(world);
    await Promise.all([checkout(), pay(), checkout()]);
    await checkout();
    const queries = MAX_ORDERS - 1;
    assert.equal(queryCount(world) - before, queries);
    pass(30_000);
    await pay();
    assert.equal(queryCount(world) - before, 2 * queries);
  });

  it('shows no unpaid order while the service does not answer queries', async () => {
    const { checkout, pay, placed, world } = await restore({ paid: [2] });
    const { order_key, request_id } = placed[0] ?? {};
    const query = () => world.ask('/v1/query', { request_id, order_key, wait: 1 });
    world.sandbox.faults.add({ operation: 'query', fault: 'broken_json', times: 0 });
    for (const ask of [pay, checkout, query]) {
      const { body, status } = await ask();
      const { code } = body.error as { code: string };
      assert.deepEqual([status, code], [503, 'service_unavailable']);
    }
  });

  it('queries no replacement when the restore is two days old', async () => {
    const { checkout, placed, world } = await restore({ paid: [2] });
    await markRestored(world.ledger, Date.now() - 2 * 86_400_001);
    const before = queryCount(world);
    assert.deepEqual(shown(await checkout()), [placed[0]?.request_id, 'pending']);
    assert.equal(queryCount(world), before);
  });
});
