/**
 * `npm run vendure [-- --packed]` boots a real Vendure shop that has installed the packed plugin,
 * and pays in it. It fails when an order is not settled once, or an attack succeeds.
 */
import { parseArgs } from 'node:util';
import { packedFile, tarballs } from '../../tools/packages/tarballs.js';
import { checks } from './checks.js';
import { buildPlugin, buildShop } from './vendure-server.js';
import { createWorld } from './world.js';

parseArgs({ options: { packed: { type: 'boolean', default: false } } });

/** The end of Vendure's output, which is printed after a failure. */
const OUTPUT_CHARACTERS = 8000;

const secondsSince = (start: number): string => ((Date.now() - start) / 1000).toFixed(1);
const failures: string[] = [];

const began = Date.now();
buildShop([...tarballs(), packedFile('pay-checkout-vendure')]);
buildPlugin();
console.log(`vendure: installed and built in ${secondsSince(began)} s`);
const world = await createWorld();
console.log(`vendure: relay, sandbox and shop are up after ${secondsSince(began)} s`);
for (const { name, run } of checks) {
  const at = Date.now();
  const problem = await run(world).catch((error: unknown) => String(error));
  console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${name} (${secondsSince(at)} s)`);
  if (problem !== null) failures.push(`${name}: ${problem}`);
}
if (failures.length > 0) console.error(world.vendure.output().slice(-OUTPUT_CHARACTERS));
await world.close();
for (const failure of failures) console.error(`vendure: ${failure}`);
console.log(`vendure: ${failures.length} failures, ${secondsSince(began)} s`);
process.exit(failures.length === 0 ? 0 : 1);
