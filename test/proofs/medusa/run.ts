/**
 * `npm run medusa [-- --packed] [--orders 50] [--kills 20] [--lost 30] [--seed 1]` boots a real
 * Medusa shop that has installed the packed plugin, and pays in it. It fails when an order is
 * lost or doubled, or an attack succeeds.
 */
import { parseArgs } from 'node:util';
import { packedFile, tarballs } from '../../tools/packages/tarballs.js';
import { accidents, ownHook } from './accidents.js';
import { attacks } from './attacks.js';
import { leaveTheBrowser, stayInTheBrowser } from './browser.js';
import { closeTheTabs } from './closed-tab.js';
import { buildShop } from './medusa-server.js';
import { buildPlugin } from './plugin-build.js';
import { createWorld } from './world.js';

const { values } = parseArgs({
  options: {
    packed: { type: 'boolean', default: false },
    orders: { type: 'string', default: '50' },
    kills: { type: 'string', default: '20' },
    lost: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});

/** The end of Medusa's output, which is printed after a failure. */
const OUTPUT_CHARACTERS = 8000;

const secondsSince = (start: number): string => ((Date.now() - start) / 1000).toFixed(1);
const failures: string[] = [];

const began = Date.now();
buildShop([...tarballs(), packedFile('pay-checkout-medusa')]);
buildPlugin();
console.log(`medusa: installed and built in ${secondsSince(began)} s`);
const booting = Date.now();
const world = await createWorld(Number(values.lost));
console.log(`medusa: database, relay, sandbox and shop are up in ${secondsSince(booting)} s`);

const started = Date.now();
const orders = Number(values.orders);
const sizes = { orders, kills: Number(values.kills), seed: Number(values.seed) };
const { problems, sale } = await leaveTheBrowser(world);
const result = await closeTheTabs(world, sizes, [sale]);
const { canceled, completed, doubled, half, kills, lost, paid, unpaid, wrong } = result;
const { lost: lostEvents, sent } = world.proxy;
console.log(
  `medusa: paid and left ${paid} of ${orders}, kills ${kills}, events lost ${lostEvents.size} of` +
    ` ${sent.size}, unfinished orders canceled ${canceled}`,
);
console.log(
  `medusa: completed once ${completed} of ${orders}, doubled ${doubled}, lost ${lost}, half done` +
    ` ${half}, not paid ${unpaid}, ${secondsSince(started)} s`,
);
failures.push(...problems, ...wrong);
if (completed !== orders || doubled + lost + half + unpaid > 0)
  failures.push('not every paid cart became one order');

// a shop with hooks of its own passes these checks too
await world.medusa.kill();
await world.medusa.start({ OWN_HOOKS: 'true' });
for (const { name, run } of [ownHook, stayInTheBrowser, ...attacks, ...accidents]) {
  const at = Date.now();
  const problem = await run(world).catch((error: unknown) => String(error));
  console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${name} (${secondsSince(at)} s)`);
  if (problem !== null) failures.push(`${name}: ${problem}`);
}
if (failures.length > 0) console.error(world.medusa.output().slice(-OUTPUT_CHARACTERS));
await world.close();
for (const failure of failures) console.error(`medusa: ${failure}`);
console.log(`medusa: ${failures.length} failures, ${secondsSince(began)} s`);
process.exit(failures.length === 0 ? 0 : 1);
