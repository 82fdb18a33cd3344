/** CPU time per request on ledgers that hold few and many finished orders. */
import { startAged } from './aged-contenders.js';
import { build, QUERIES_PER_SECOND, startBaseline, startStub } from './contenders.js';
import { closeAll, measureAll } from './round.js';
import type { BenchSizes } from './sizes.js';
import type { Bench } from './table.js';

export async function ledgerAge(sizes: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const contenders = [
    await startBaseline('hono-undici', stub.url),
    ...(await startAged(stub.url, QUERIES_PER_SECOND)),
  ];
  const rows = await measureAll(contenders, stub, sizes);
  await closeAll(rows);
  stub.child.kill('SIGKILL');
  return {
    about:
      `CPU time of one request, as in relay-cpu, ${sizes.requests} in a round, by the number of ` +
      'finished orders in the ledger. The baseline has no ledger.',
    columns: ['pay', 'database', 'checkout', 'query'].map((name) => ({ name, unit: 'µs' })),
    rows,
    rounds: sizes.rounds,
  };
}
