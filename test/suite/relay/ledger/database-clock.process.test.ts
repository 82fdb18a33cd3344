/** On PostgreSQL a relay with a wrong wall clock stores times of the database's clock. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import { startPostgres } from '../../support/postgres.js';
import { createWorld, openIntent, until } from '../../support/world.js';

const HOUR_MS = 3_600_000;
/** Longer than every lease and first wait, and much shorter than the clock's error. */
const NEAR_MS = 10 * 60_000;

describe('a relay on PostgreSQL whose wall clock is wrong', { timeout: 300_000 }, async () => {
  const postgres = await startPostgres({ syncs: false });
  after(postgres.stop);

  for (const [way, errorMs] of [
    ['ahead', 5 * HOUR_MS],
    ['behind', -5 * HOUR_MS],
  ] as const)
    it(`dates orders and leases by the database when its clock is 5 hours ${way}`, async () => {
      const url = await postgres.database();
      const ledger = await openLedger(url);
      let answer: ((response: Response) => void) | undefined;
      const world = createWorld({
        ledger,
        clock: { ...systemClock, now: () => Date.now() + errorMs },
        config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
        // the delivery hangs, so that its lease stays in the ledger
        shopFetch: () => new Promise((resolve) => (answer = resolve)),
      });
      await world.relay.tick();
      const attempt = crypto.randomUUID();
      const paid = await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
      assert.equal(paid.status, 200);
      await until(async () => {
        await world.relay.tick();
        return answer !== undefined;
      }, 'the event is delivered');

      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<Record<string, string>>(
        `select intents.created_at, due_at, next_try_at,
           extract(epoch from clock_timestamp()) * 1000 as now from intents, events`,
      );
      await client.end();
      const { now, ...times } = rows[0] ?? {};
      assert.equal(Object.keys(times).length, 3);
      for (const [name, time] of Object.entries(times)) {
        const offMs = Number(time) - Number(now);
        assert.ok(Math.abs(offMs) < NEAR_MS, `${name} is ${offMs} ms from the database's time`);
      }
      answer?.(new Response());
      await world.relay.close();
      await ledger.close();
    });
});
