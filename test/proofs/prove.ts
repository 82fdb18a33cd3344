/** `npm run prove -- NAME [--orders N] [--kills N] [--seed N] [--record]`: runs one proof and prints its figures. */
import { parseArgs } from 'node:util';
import { clicks } from './clicks.js';
import { kill } from './kill.js';
import { record } from './record.js';

export type Sizes = { orders: number; kills: number; seed: number };
export type Result = { held: boolean; figures: string };
const proofs: Record<string, { run: (sizes: Sizes) => Promise<Result>; orders: number; kills: number }> = {
  kill: { run: kill, orders: 20_000, kills: 200 },
  clicks: { run: clicks, orders: 1000, kills: 0 },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
    record: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (!proof) {
  console.error(`prove: expected one of ${Object.keys(proofs).join(', ')}`);
  process.exit(2);
}
const started = Date.now();
const sizes = { orders: Number(values.orders ?? proof.orders), kills: Number(values.kills ?? proof.kills), seed: Number(values.seed) };
console.log(`prove ${name}: ${JSON.stringify(sizes)}`);
const { figures, held } = await proof.run(sizes);
const seconds = ((Date.now() - started) / 1000).toFixed(0);
console.log(figures);
console.log(`prove ${name}: ${held ? 'holds' : 'BROKEN'} after ${seconds} s`);
if (values.record) record({ name, sizes, figures, held, seconds });
process.exit(held ? 0 : 1);
