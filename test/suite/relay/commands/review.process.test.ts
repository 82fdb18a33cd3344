/** Only a person ends a review, with `orders resolve`, while the relay runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { RELAY_COMMAND } from '../../support/relay-command.js';
import {
  bearer,
  createWorld,
  openIntent,
  SECRETS,
  testConfig,
  until,
} from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { findOrder } from '../../support/ledger-calls.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = temporaryFolder('review');

const hooks = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...RELAY_COMMAND, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...SECRETS },
  });
  return { status, stdout, stderr };
};

type Delivered = { type: string; data: Record<string, unknown> };

/** An order whose service echoed another amount, and the command that ends its review. */
async function inReview(name: string) {
  const ledgerName = `sqlite:${join(folder, `${name}.db`)}`;
  const config: ConfigFile = { ...testConfig, ledger: ledgerName, shop_events: hooks };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  const ledger = await openLedger(ledgerName);
  const parsed = parseConfig(config, (ref) => ('env' in ref ? SECRETS[ref.env] : undefined));
  await bindLedger(parsed, ledger);
  const delivered: Delivered[] = [];
  const world = createWorld({
    ledger,
    config: { shop_events: hooks },
    shopFetch: async (_url, init) => {
      delivered.push(JSON.parse(String(init.body)) as Delivered);
      return new Response();
    },
  });
  world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
  const { body } = await world.ask('/v1/pay', {
    ...openIntent,
    attempt: crypto.randomUUID(),
    option: 'qr',
  });
  const { order } = body;
  assert.equal(order?.outcome, 'review');
  const { intent_id = '', request_id = '' } = order ?? {};
  const resolve = (as: string, id = request_id): ReturnType<typeof run> =>
    run('orders', 'resolve', id, '--config', file, '--as', as, '--by', 'Ann', '--note', 'seen');
  const close = async (): Promise<void> => {
    await world.relay.close();
    await ledger.close();
  };
  const deliverAll = async (): Promise<string[]> => {
    await world.relay.tick();
    // no event waits for another, so they may arrive in any order
    delivered.sort((one, other) => Number(one.data.sequence) - Number(other.data.sequence));
    return delivered.map(({ type }) => type);
  };
  return { close, intent_id, ledger, order, request_id, resolve, deliverAll, delivered, world };
}

describe('a review', () => {
  it('shows the reason and the echo of a review to the shop, but not to the page', async () => {
    const { close, intent_id, order, deliverAll, delivered, world } = await inReview('why');
    assert.equal('review_reason' in (order ?? {}), false);
    const { body } = await world.ask('/v1/query', { intent_id }, bearer);
    const shown = body.order as Record<string, unknown> | undefined;
    assert.equal(shown?.review_reason, 'amount_mismatch');
    assert.notEqual(shown?.echoed_amount, '12.50');
    await until(async () => (await deliverAll()).length === 2, 'delivered');
    assert.deepEqual(
      delivered.map(({ type }) => type),
      ['order.created', 'order.review'],
    );
    assert.equal(delivered[1]?.data.review_reason, 'amount_mismatch');
    await close();
  });

  it('ends a review once when it is resolved, and sends the shop both events', async () => {
    const { close, ledger, request_id, resolve, deliverAll, delivered } = await inReview('good');
    const done = resolve('succeeded');
    assert.deepEqual([done.status, done.stderr], [0, '']);
    assert.equal((await findOrder(ledger, request_id))?.outcome, 'succeeded');
    await until(async () => (await deliverAll()).length === 4, 'delivered');
    const last = delivered.slice(2);
    assert.deepEqual(
      last.map(({ type }) => type),
      ['order.resolved', 'order.succeeded'],
    );
    assert.equal(last[0]?.data.resolved_as, 'succeeded');
    assert.equal(resolve('failed').status, 1);
    await close();
  });

  it('decides nothing by a configuration that would not tell the shop', async () => {
    const { close, ledger, request_id } = await inReview('untold');
    const file = join(folder, 'without-events.json');
    const { shop_events: _, ...config } = JSON.parse(
      readFileSync(join(folder, 'untold.json'), 'utf8'),
    ) as ConfigFile;
    writeFileSync(file, JSON.stringify(config));
    const decision = ['--as', 'succeeded', '--by', 'Ann', '--note', 'seen'];
    const { status, stderr } = run('orders', 'resolve', request_id, '--config', file, ...decision);
    assert.equal(status, 1);
    assert.match(stderr, /shop_events/);
    assert.equal((await findOrder(ledger, request_id))?.outcome, 'review');
    await close();
  });

  it('reports each status by which the service contradicts the resolution “failed”', async () => {
    const { close, ledger, request_id, resolve, deliverAll, world } = await inReview('bad');
    assert.equal(resolve('failed').status, 0);
    const upstream = world.sandbox.orders.byRequest(request_id);
    assert.ok(upstream);
    for (const status of [40, 11]) {
      world.sandbox.orders.setStatus(upstream, status);
      await until(async () => {
        await world.relay.tick();
        return (await findOrder(ledger, request_id))?.status === status;
      }, `status ${status}`);
    }
    assert.equal((await findOrder(ledger, request_id))?.outcome, 'failed');
    const reviews = async (): Promise<number> =>
      (await deliverAll()).filter((type) => type === 'order.review').length;
    await until(async () => (await reviews()) === 3, 'an event of each review');
    await close();
  });

  it('resolves nothing when the order is unknown or the outcome is not valid', async () => {
    const { close, resolve } = await inReview('refused');
    assert.equal(resolve('failed', 'nobody').status, 1);
    assert.match(resolve('failed', 'nobody').stderr, /no order or intent nobody/);
    const wrong = resolve('perhaps');
    assert.deepEqual([wrong.status, /--as: perhaps/.test(wrong.stderr)], [2, true]);
    await close();
  });
});
