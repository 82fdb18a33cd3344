/** CPU time per pay with all features on, per query from the ledger, and per checkout. */
import type { BenchSizes } from './sizes.js';
import { build, startRelay, startRelayOnPostgres, startBaseline, startStub } from './contenders.js';
import { startNginx } from './nginx.js';
import { closeAll, measureAll } from './round.js';
import type { Bench } from './table.js';

export async function relayCpu(sizes: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const contenders = [
    ...(await startNginx(stub.url)),
    await startBaseline('raw-http', stub.url),
    await startBaseline('hono-undici', stub.url),
    await startBaseline('hono-fetch', stub.url),
    await startRelay(stub.url),
    await startRelayOnPostgres(stub.url),
  ];
  const rows = await measureAll(contenders, stub, sizes);
  await closeAll(rows);
  stub.child.kill('SIGKILL');
  return {
    about:
      `CPU time of one request, ${sizes.requests} in a round. A pay uses a new order token and ` +
      'includes the delivery of its event to the shop; a checkout uses a new order token; a ' +
      'query is a long poll that the ledger answers at once. "Database" is the CPU time of ' +
      'PostgreSQL for a pay. The other contenders forward a pay without keeping it, and answer ' +
      'all other requests with a fixed text.',
    columns: ['pay', 'database', 'checkout', 'query'].map((name) => ({ name, unit: 'µs' })),
    rows,
    rounds: sizes.rounds,
  };
}
