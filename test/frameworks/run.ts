/**
 * `npm run frameworks [-- --packed] [FOLDER…]` installs the packed packages into small shops, one
 * for each framework, and prints a table: what checks, pays and hears. It fails when a cell fails.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type * as Testing from '../../relay/testing/index.js';
import { signOrderToken } from '../../widget/shop/index.js';
import { tarballs } from '../packages/tarballs.js';
import { launchBrowser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { environments, type Environment } from './environments.js';
import { here, run, serve, servePage } from './serve.js';
import { visit, type Visit } from './visit.js';

type Row = Visit & { name: string; types: boolean | null; seconds: number; notes: string[] };

const NPM = 'npm install --no-audit --no-fund --prefer-offline';
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.find((folder) => !environments.some((each) => each.folder === folder));
if (unknown !== undefined) {
  console.error(`frameworks: no environment ${unknown}`);
  process.exit(2);
}
const chosen = environments.filter(({ folder }) => asked.length === 0 || asked.includes(folder));

/** Environments with a package.json of their own have other versions of a library. */
function install(packed: readonly string[]): void {
  const own = chosen
    .map(({ folder }) => join(here, 'apps', folder))
    .filter((folder) => existsSync(join(folder, 'package.json')));
  for (const folder of [here, ...new Set(own)])
    for (const command of [NPM, `${NPM} --no-save --no-package-lock ${packed.join(' ')}`]) {
      const failure = run(command, folder);
      if (failure !== null) throw new Error(failure);
    }
}

async function tryOut(environment: Environment, browser: Browser): Promise<Row> {
  const { alwaysSays, build, name, rendersOnServer, serve: command, types } = environment;
  const folder = join(here, 'apps', environment.folder);
  const started = Date.now();
  const notes: string[] = [];
  const passes = (step: string | null): boolean | null => {
    const failure = step === null ? null : run(step, folder);
    if (failure !== null) notes.push(failure);
    return step === null ? null : failure === null;
  };
  const typesPass = passes(types);
  passes(build);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const checkout = await startTestCheckout({ origins: [origin] });
  const token = await signOrderToken(
    {
      aud: checkout.relay,
      jti: `order-${environment.folder}`.padEnd(10, '0'),
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'customer-42',
    },
    checkout.order_token_key,
  );
  const shop = command ? await serve(command, folder, port) : await servePage(folder, port);
  const query = new URLSearchParams({ relay: checkout.relay, token });
  const visited = await visit(browser, checkout, `${shop.url}/?${query}`, rendersOnServer);
  shop.close();
  await checkout.close();
  const said = visited.console.filter((text) => !alwaysSays?.test(text));
  const seconds = (Date.now() - started) / 1000;
  return { ...visited, console: said, name, types: typesPass, notes, seconds };
}

const mark = (value: boolean | null): string => {
  if (value === null) return '–';
  return value ? 'yes' : 'NO';
};

const cells = (row: Row): string[] => [
  row.name,
  mark(row.types),
  mark(row.ssr),
  mark(row.pays),
  mark(row.heard),
  mark(row.console.length === 0),
  String(row.bytes),
  row.seconds.toFixed(1),
];

const HEAD = ['environment', 'types', 'SSR', 'pays', 'event heard', 'console clean', 'bytes', 's'];

function printTable(rows: readonly string[][]): void {
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0), HEAD[column]?.length ?? 0),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log([line(HEAD), line(widths.map((width) => '-'.repeat(width)))].join('\n'));
  for (const row of rows) console.log(line(row));
}

install(tarballs());
// of the package, since its relay serves the package's own build of the element
const { startTestCheckout } = (await import(
  `${here}node_modules/pay-checkout-relay/dist/relay/testing/index.js`
)) as typeof Testing;
const browser = await launchBrowser();
const rows: Row[] = [];
for (const environment of chosen) {
  console.log(`trying ${environment.name}`);
  rows.push(await tryOut(environment, browser));
}
await browser.close();
printTable(rows.map(cells));
const failed = rows.filter(
  ({ console: said, heard, notes, pays, ssr, types }) =>
    [heard, pays, ssr, types].includes(false) || said.length + notes.length > 0,
);
for (const { console: said, name, notes } of failed)
  console.error([`\n${name}:`, ...said, ...notes].join('\n'));
process.exit(failed.length === 0 ? 0 : 1);
