/**
 * `npm run frameworks [-- --packed] [--record] [FOLDER…]` makes a project with the starter of each
 * framework, adds our packages and the files of the quick start, pays in it, and prints a table of
 * the results. It fails when a check fails. `--record` also writes the table of all shops into
 * docs/guides/frameworks.md.
 */
import type { Browser } from 'playwright-core';
import type * as Testing from '../../../relay/testing/index.js';
import { signOrderToken } from '../../../widget/shop/index.js';
import { tarballs } from '../../tools/packages/tarballs.js';
import { launchBrowser } from '../../suite/support/browser.js';
import { freePort } from '../../suite/support/free-port.js';
import { environments, type Environment } from './environments.js';
import { mountIn } from './mounted.js';
import { here, run, serve, servePage } from './serve.js';
import { makeShop, newShop, type Shop } from './starters.js';
import { cellsOf, recordRows, tableLines, type Row } from './table.js';
import { visit } from './visit.js';

const folders = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = folders.find((folder) => !environments.some((each) => each.folder === folder));
if (unknown !== undefined) {
  console.error(`frameworks: no environment ${unknown}`);
  process.exit(2);
}
const records = process.argv.includes('--record');
if (records && folders.length > 0) {
  console.error('frameworks: --record writes the table of all environments: name no folder');
  process.exit(2);
}
const chosen = environments.filter(
  ({ folder }) => folders.length === 0 || folders.includes(folder),
);

/** Installs the starters, and our packages, from which the test takes relay and sandbox. */
function install(packed: readonly string[]): void {
  for (const command of ['npm ci', `npm install --no-save --no-package-lock ${packed.join(' ')}`]) {
    const failure = run(`${command} --no-audit --no-fund --prefer-offline`, here);
    if (failure !== null) throw new Error(failure);
  }
}

/** @returns the address of a new order, which a shop with a relay of its own records */
async function buyIn(shop: string): Promise<string> {
  const answer = await fetch(`${shop}/buy`, { method: 'POST', redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`the shop sells nothing: HTTP ${answer.status}`);
  return new URL(location, shop).href;
}

async function tryOut(environment: Environment, shop: Shop, browser: Browser): Promise<Row> {
  const { build, ignoredMessage, name, rendersOnServer, serve: command, types } = environment;
  const { folder } = shop;
  const started = Date.now();
  const failures: string[] = [];
  const passes = (step: string | null): boolean | null => {
    const failure = step === null ? null : run(step, folder);
    if (failure !== null) failures.push(failure);
    return step === null ? null : failure === null;
  };
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const checkout = await startTestCheckout({ origins: [origin] });
  shop.writeFiles(origin, checkout.relay);
  const typesPass = passes(types);
  const mounted = environment.mountsRelay ? mountIn(folder, origin, checkout.sandbox_url) : null;
  passes(build);
  failures.push(...(mounted?.afterBuild() ?? []));
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
  const served = command ? await serve(command, folder, port) : await servePage(folder, port);
  failures.push(...(mounted?.afterStart() ?? []));
  const query = new URLSearchParams({ token });
  const visited = await visit(browser, checkout, {
    url: mounted ? await buyIn(served.url) : `${served.url}/?${query}`,
    option: mounted ? 'qr' : 'sbp',
    rendersOnServer,
  });
  failures.push(...((await mounted?.afterPayment()) ?? []));
  served.close();
  await checkout.close();
  const messages = visited.console.filter((text) => !ignoredMessage?.test(text));
  const seconds = (Date.now() - started) / 1000;
  return { ...visited, console: messages, name, types: typesPass, failures, seconds };
}

const packed = tarballs();
install(packed);
// imported from the package, because its relay serves the package's own build of the element
const { startTestCheckout } = (await import(
  `${here}node_modules/pay-checkout-relay/dist/relay/testing/index.js`
)) as typeof Testing;
const browser = await launchBrowser();
const rows: Row[] = [];
const notMade: string[] = [];
for (const folder of new Set(chosen.map((each) => each.folder))) {
  const [first, ...others] = chosen.filter((each) => each.folder === folder);
  if (!first) continue;
  console.log(`making the shop ${folder}`);
  const shop = newShop(folder);
  try {
    makeShop(shop, first, packed);
    for (const environment of [first, ...others]) {
      const row = await tryOut(environment, shop, browser);
      console.log(cellsOf(row).join(' | '));
      rows.push(row);
    }
  } catch (error) {
    // the other frameworks are tried all the same
    notMade.push(`${folder}: ${String(error)}`);
  } finally {
    shop.remove();
  }
}
await browser.close();
const cells = rows.map(cellsOf);
console.log(tableLines(cells).join('\n'));
if (records && notMade.length === 0) recordRows(cells);
const failed = rows.filter(
  ({ console: messages, failures, pays, receivesEvent, ssr, types }) =>
    [receivesEvent, pays, ssr, types].includes(false) || messages.length + failures.length > 0,
);
for (const { console: messages, failures, name } of failed)
  console.error([`\n${name}:`, ...messages, ...failures].join('\n'));
for (const failure of notMade) console.error(`\n${failure}`);
process.exit(failed.length + notMade.length === 0 ? 0 : 1);
