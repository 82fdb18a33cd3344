/** Relays of one PostgreSQL ledger send hints of changes; here no relay polls the ledger. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { postgresHints } from '../../../../relay/node/postgres-hints.js';
import { systemClock, type Clock, type Hints } from '../../../../relay/runtime.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { createWorld, openIntent, until, type World } from '../../support/world.js';

type Line = Record<string, unknown>;

const MAX_TIMER_MS = 2 ** 31 - 1;

let postgres: Postgres;
let url = '';
let admin: pg.Client;
const ends: (() => Promise<unknown>)[] = [];

before(async () => {
  postgres = await startPostgres({ syncs: false });
  url = await postgres.database();
  admin = new pg.Client(url);
  await admin.connect();
});
after(async () => {
  for (const end of ends.reverse()) await end();
  await admin.end();
  await postgres.stop();
});

function openHints(at = url): { hints: Hints; lines: Line[] } {
  const lines: Line[] = [];
  const hints = postgresHints(at, (level, event, fields) =>
    lines.push({ level, event, ...fields }),
  );
  ends.push(hints.close);
  return { hints, lines };
}

/** Waits until this number of connections listen. */
const untilListening = (count: number): Promise<void> =>
  until(async () => {
    const { rows } = await admin.query(
      `select from pg_stat_activity
       where application_name = 'pay-checkout hints' and state = 'idle' and query > ''`,
    );
    return rows.length === count;
  }, `${count} listeners`);

/** A clock on which a sleep of 500 ms or more never ends, so that only a hint wakes a relay. */
const shortSleeps: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms < 500 ? ms : MAX_TIMER_MS, signal),
};

/** A relay with an order service of its own, so that it learns of other orders by hints alone. */
async function openRelay(hints: Hints): Promise<World> {
  const ledger = await openLedger(url);
  const world = createWorld({ ledger, hints, clock: shortSleeps });
  ends.push(async () => {
    await world.relay.close();
    await ledger.close();
  });
  return world;
}

describe('hints between relays', () => {
  it('ends a long poll at one relay when the webhook reaches another relay', async () => {
    const one = await openRelay(openHints().hints);
    const two = await openRelay(openHints().hints);
    await untilListening(2);
    const attempt = crypto.randomUUID();
    const placed = await one.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
    const { order_key, request_id } = placed.body.order!;
    const waiting = two.ask('/v1/query', { request_id, order_key, known_status: 11, wait: 25 });
    one.sandbox.orders.act(one.sandbox.orders.byRequest(request_id)!, 'confirm');
    assert.equal((await waiting).body.order?.outcome, 'succeeded');
  });

  it('logs a lost connection once, and sends hints again over a new connection', async () => {
    const sender = openHints();
    const receiver = openHints();
    let received = 0;
    receiver.hints.receive(() => received++);
    await untilListening(4);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
    );
    await until(
      () => [sender, receiver].every(({ lines }) => lines.length === 2),
      'both connections return',
    );
    assert.deepEqual(
      receiver.lines.map(({ event, level }) => ({ event, level })),
      [
        { event: 'hint', level: 'warn' },
        { event: 'hint', level: 'info' },
      ],
    );
    const before = received;
    sender.hints.send();
    await until(() => received > before, 'the hint');
  });

  for (const [what, host] of [
    ['refuses connections', '127.0.0.1:1'],
    ['cannot be read', '[bad'],
  ] as const)
    it(`works without hints when the address ${what}, and reveals no password`, async () => {
      const { hints, lines } = openHints(`postgres://u:hidden-password@${host}/pay`);
      hints.send();
      await until(() => lines.length > 0, 'the report');
      assert.doesNotMatch(JSON.stringify(lines), /hidden-password/);
      await hints.close();
    });
});
