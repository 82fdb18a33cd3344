/**
 * `npm run bench -- NAME [--rounds N] [--requests N] [--record]` measures the product and baselines
 * that a shop could use instead, and prints a table. `--record` also writes the table into
 * docs/benchmarks.md.
 */
import { parseArgs } from 'node:util';
import { bytes } from './bytes.js';
import { firstQr } from './first-qr.js';
import { flags } from './flags.js';
import { ledgerAge } from './ledger-age.js';
import { oneLink } from './one-link.js';
import { openCheckouts } from './open-checkouts.js';
import { orders } from './orders.js';
import { relayCpu } from './relay-cpu.js';
import type { BenchSizes } from './sizes.js';
import { start } from './start.js';
import { tell } from './tell.js';
import { showTable, type Bench } from './table.js';

const benches: Readonly<Record<string, (sizes: BenchSizes) => Promise<Bench>>> = {
  bytes,
  'first-qr': firstQr,
  'ledger-age': ledgerAge,
  'relay-cpu': relayCpu,
  flags,
  'one-link': oneLink,
  'open-checkouts': openCheckouts,
  orders,
  start,
  tell,
};

/** Benches whose round takes about six minutes, because each page in it waits for minutes. */
const SLOW = ['open-checkouts', 'tell'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
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
const rounds = Number(values.rounds ?? (SLOW.includes(name) ? 1 : 5));
const sizes = { rounds, requests: Number(values.requests) };
await showTable(name, await bench(sizes), values.record);
process.exit(0);
