/** An event is handled once, even when the shop's database fails in its transaction. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { receiveEvents } from '../../../../widget/shop/index.js';
import { until } from '../../support/world.js';
import { event, openDatabases, request, SECRET, silently, type Database } from './databases.js';

const { databases, orms, postgres, stop } = await openDatabases();
after(stop);

type Opened<Tx> = Pick<Database<Tx>, 'store' | 'write' | 'paid' | 'close'>;

/** The database ends the connection of a handler once. */
async function endsInTheMiddle<Tx>(
  open: () => Promise<Opened<Tx>>,
  endConnection: (tx: Tx) => PromiseLike<unknown>,
): Promise<void> {
  const { close, paid, store, write } = await open();
  let ended = false;
  const receive = receiveEvents({
    secrets: SECRET,
    store,
    handle: async ({ data, id }, { tx }) => {
      await write(tx, data.intent_id, id);
      if (ended) return;
      ended = true;
      await endConnection(tx);
    },
  });
  const told = event('order-001', 1);
  assert.equal(await silently(async () => (await receive(await request(told))).status), 500);
  assert.deepEqual(await paid(), []);
  assert.equal((await receive(await request(told))).status, 200);
  assert.deepEqual(await paid(), ['order-001']);
  await close();
}
const END = 'select pg_terminate_backend(pg_backend_pid())';

for (const [name, run] of Object.entries({
  pg: () => endsInTheMiddle(databases.postgres, (tx) => tx.query(END)),
  prisma: () =>
    endsInTheMiddle(
      orms.prisma,
      (tx) => tx.$queryRaw`select pg_terminate_backend(pg_backend_pid())`,
    ),
  kysely: () => endsInTheMiddle(databases.kysely, (tx) => sql.raw(END).execute(tx)),
  drizzle: () => endsInTheMiddle(orms.drizzle, (tx) => tx.execute(END)),
}))
  it(`${name}: handles an event at the next try when its connection ended in the middle`, run);

describe('a store whose database fails', () => {
  it('pg: refuses the event when the handler hides that a statement failed', async () => {
    const database = await databases.postgres();
    const receive = receiveEvents({
      secrets: SECRET,
      store: database.store,
      handle: async ({ data, id }, { tx }) => {
        await database.write(tx, data.intent_id, id);
        await tx.query('select * from no_such_table').catch(() => {});
      },
    });
    const paid = await request(event('order-001', 1));
    assert.equal(await silently(async () => (await receive(paid)).status), 500);
    assert.deepEqual(await database.paid(), []);
    await database.close();
  });

  it('pg: handles each event once when the server crashes and starts again', async () => {
    const database = await databases.postgres();
    const receive = receiveEvents({
      secrets: SECRET,
      store: database.store,
      handle: ({ data, id }, { tx }) => database.write(tx, data.intent_id, id),
    });
    const events = Array.from({ length: 40 }, (_, index) => event(`order-${100 + index}`, 1));
    const send = async (each: ReturnType<typeof event>): Promise<number> =>
      (await receive(await request(each))).status;
    await silently(async () => {
      const sent = events.map((each) => send(each));
      await Promise.race(sent);
      await postgres.crash();
      await Promise.allSettled(sent);
    });
    for (const each of events) await until(async () => (await send(each)) === 200, 'the next try');
    assert.deepEqual(
      (await database.paid()).sort(),
      events.map(({ id }) => id.slice('evt_'.length, -2)),
    );
    await database.close();
  });
});
