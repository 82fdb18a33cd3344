/** A shop whose address changes keeps its orders, also when it then restores an older backup. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { moveLedger } from '../../../../relay/move-ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createWorld, readSecret, SECRETS, testConfig, type World } from '../../support/world.js';
import { claims, sign } from '../intent/signed-token.js';

const folder = temporaryFolder('move-ledger');
let postgres: Postgres;
before(async () => void (postgres = await startPostgres()));
after(() => postgres.stop());

SECRETS.MOVING = 'request-id-key-of-a-shop-that-moves';
const OLD = 'https://shop.example/pay';
const NEW = 'https://new.example/pay';
const file = (more: Partial<ConfigFile> = {}): ConfigFile => ({
  ...testConfig,
  request_id_key: { env: 'MOVING' },
  ...more,
});
const moved = file({
  public_url: NEW,
  service: { ...testConfig.service, base_url: 'https://moved.example' },
});
const parsed = (of: ConfigFile): Config => parseConfig(of, readSecret);
const former = { public_url: OLD, base_url: 'https://service.example' };
const HOUR_MS = 3_600_000;

const buyTee = (world: World, attempt: string): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { sku: 'tee', attempt, option: 'card' });

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  const newAddress = async (): Promise<string> =>
    engine === 'SQLite'
      ? `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`
      : postgres.database();
  const start = async (ledger: Ledger, config: ConfigFile, world?: World): Promise<World> => {
    await bindLedger(parsed(config), ledger);
    return createWorld({ ledger, config, ...(world && { sandbox: world.sandbox }) });
  };

  describe(`a ledger of ${engine} that moves to other addresses`, () => {
    it(`keeps a catalogue customer's order when the shop has moved on ${engine}`, async () => {
      const ledger = await openLedger(await newAddress());
      const first = await start(ledger, file());
      const attempt = crypto.randomUUID();
      const placed = (await buyTee(first, attempt)).body.order;
      assert.ok(placed);
      await first.relay.close();

      await assert.rejects(bindLedger(parsed(moved), ledger), /ledger move --base-url/);
      assert.deepEqual(await moveLedger(parsed(moved), ledger, former, Date.now()), [
        { field: 'public_url', from: OLD, to: NEW },
        {
          field: 'service.base_url',
          from: 'https://service.example',
          to: 'https://moved.example',
        },
      ]);
      const second = await start(ledger, moved, first);
      const back = (await buyTee(second, attempt)).body.order;
      assert.equal(back?.request_id, placed.request_id);
      assert.equal(second.pays().length, 1);
      // a page that was open before the move
      const { order_key, request_id } = placed;
      const query = await second.ask('/v1/query', { request_id, order_key });
      assert.equal(query.status, 200);
      await second.relay.close();
      assert.deepEqual(await moveLedger(parsed(moved), ledger, former, Date.now()), []);
      await assert.rejects(bindLedger(parsed(file()), ledger), /ledger move --base-url/);
      await ledger.close();
    });

    it(`finds a lost order when an older backup is restored on ${engine}`, async () => {
      // the backup: a ledger that was bound before the move, without the order
      const [lived, backup] = [await newAddress(), await newAddress()];
      for (const address of [lived, backup]) {
        const bound = await openLedger(address);
        await bindLedger(parsed(file()), bound);
        await bound.close();
      }
      const ledger = await openLedger(lived);
      await moveLedger(parsed(moved), ledger, former, Date.now());
      const first = await start(ledger, moved);
      const attempt = crypto.randomUUID();
      const placed = (await buyTee(first, attempt)).body.order;
      assert.ok(placed);
      await first.relay.close();
      await ledger.close();

      const restored = await openLedger(backup);
      await moveLedger(parsed(moved), restored, former, Date.now());
      await bindLedger(parsed(moved), restored, { restored: true });
      const second = createWorld({ ledger: restored, config: moved, sandbox: first.sandbox });
      const found = (await buyTee(second, attempt)).body.order;
      assert.deepEqual([found?.request_id, found?.outcome], [placed.request_id, 'pending']);
      assert.equal(second.pays().length, 1);
      await second.relay.close();
      await restored.close();
    });

    it(`accepts tokens for the former address for two days on ${engine}`, async () => {
      const ledger = await openLedger(await newAddress());
      const first = await start(ledger, file());
      await first.relay.close();
      const outcomeAfter = async (hours: number, audience: string): Promise<number> => {
        await ledger.writeSetting('public_url', OLD);
        await moveLedger(parsed(moved), ledger, former, Date.now() - hours * HOUR_MS);
        const world = await start(ledger, moved, first);
        const order_token = await sign(claims, { audience });
        const deposit_token = await sign(
          { customer_ref_id: 'c-1' },
          { audience, header: { typ: 'pay-deposit+jwt' } },
        );
        const order = await world.ask('/v1/checkout', { order_token });
        const deposit = await world.ask('/v1/deposit-address', { currency: 'BTC', deposit_token });
        assert.equal(order.status, deposit.status);
        await world.relay.close();
        return order.status;
      };
      assert.deepEqual(
        [
          await outcomeAfter(47, OLD),
          await outcomeAfter(49, OLD),
          await outcomeAfter(49, NEW),
          await outcomeAfter(1, 'https://other.example/pay'),
        ],
        [200, 401, 200, 401],
      );
      await ledger.close();
    });
  });
}

describe('moveLedger', () => {
  const refused: [string, ConfigFile, object, RegExp][] = [
    ['another former address', moved, { ...former, public_url: NEW + '2' }, /^Error: --public-url/],
    [
      'no flag for a field that differs',
      moved,
      { public_url: OLD },
      /ledger move .*--base-url https/,
    ],
    ['another mode', { ...moved, mode: 'live' }, former, /belongs to "test https:\/\/serv/],
    ['another key', { ...moved, request_id_key: { env: 'SECRET' } }, former, /another key/],
  ];
  for (const [what, config, flags, why] of refused)
    it(`refuses to move, and writes nothing, when there is ${what}`, async () => {
      SECRETS.SECRET = 'secret-key-of-the-tests-with-32-bytes';
      const ledger = await openLedger(`sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`);
      await bindLedger(parsed(file()), ledger);
      await assert.rejects(moveLedger(parsed(config), ledger, flags, 0), (error) =>
        why.test(String(error)),
      );
      await bindLedger(parsed(file()), ledger);
      await ledger.close();
    });

  it('names each flag that a move of both addresses needs, whichever is missing', async () => {
    const ledger = await openLedger(`sqlite:${join(folder, 'both.db')}`);
    await bindLedger(parsed(file()), ledger);
    const both = parsed(moved);
    const [publicUrl, baseUrl] = [former.public_url, former.base_url];
    const flags = [`--public-url ${publicUrl}`, `--base-url ${baseUrl}`];
    const advice = new RegExp(`"ledger move (${flags.join(' ')}|${flags.reverse().join(' ')})"`);
    for (const given of [{}, { public_url: publicUrl }, { base_url: baseUrl }])
      await assert.rejects(moveLedger(both, ledger, given, 0), advice);
    await ledger.close();
  });

  it('refuses a ledger that no relay has used', async () => {
    const ledger = await openLedger(`sqlite:${join(folder, 'unused.db')}`);
    await assert.rejects(moveLedger(parsed(moved), ledger, former, 0), /nothing to move/);
    await ledger.close();
  });
});
