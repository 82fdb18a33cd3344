/**
 * `npm run wordpress` boots Debian's WordPress on a MariaDB of its own, with the plugin and the
 * shop of the guide, and pays in it. Where one is not installed, it says so and ends with 0.
 */
import { buildWidget } from '../../suite/support/built-widget.js';
import { attacks } from './attacks.js';
import { checks } from './checks.js';
import { missing } from './wordpress-server.js';
import { createWorld } from './world.js';

const lacks = missing();
if (lacks !== null) {
  console.log(`wordpress: skipped, this machine has no ${lacks}`);
  process.exit(0);
}

/** The end of PHP's log, which is printed after a failure. */
const OUTPUT_CHARACTERS = 8000;

const secondsSince = (start: number): string => ((Date.now() - start) / 1000).toFixed(1);
const failures: string[] = [];

const began = Date.now();
buildWidget();
const world = await createWorld();
console.log(`wordpress: relay, sandbox and shop are up after ${secondsSince(began)} s`);
for (const { name, run } of [...checks, ...attacks]) {
  const at = Date.now();
  const problem = await run(world).catch((error: unknown) => String(error));
  console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${name} (${secondsSince(at)} s)`);
  if (problem !== null) failures.push(`${name}: ${problem}`);
}
if (failures.length > 0) console.error(world.site.output().slice(-OUTPUT_CHARACTERS));
await world.close();
for (const failure of failures) console.error(`wordpress: ${failure}`);
console.log(`wordpress: ${failures.length} failures, ${secondsSince(began)} s`);
process.exit(failures.length === 0 ? 0 : 1);
