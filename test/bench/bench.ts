/**
 * `npm run bench -- NAME [--rounds N] [--requests N] [--record]` measures the product and baselines
 * that a shop could use instead, and prints a table. `--record` also writes the table into
 * docs/benchmarks.md.
 */
import { parseArgs } from 'node:util';
import { firstQr } from './first-qr.js';
import { flags } from './flags.js';
import { openCheckouts } from './open-checkouts.js';
import { orders } from './orders.js';
import { relayCpu } from './relay-cpu.js';
import type { BenchSizes } from './sizes.js';
import { start } from './start.js';
import { tell } from './tell.js';
import { showTable, type Bench } from './table.js';

const benches: Readonly<Record<string, (sizes: BenchSizes) => Promise<Bench>>> = {
  'first-qr': firstQr,
  'relay-cpu': relayCpu,
  flags,
  'open-checkouts': openCheckouts,
  orders,
  start,
  tell,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '400' },
    record: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (!bench) {
  console.error(`bench: expected one of ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
const sizes = { rounds: Number(values.rounds), requests: Number(values.requests) };
await showTable(name, await bench(sizes), values.record);
process.exit(0);
