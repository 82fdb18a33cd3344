/**
 * `npm run frameworks [-- --packed] [--record] [FOLDER…]` installs the packed packages into small
 * shops, one for each framework, pays in each, and prints a table of the results. It fails when a
 * check fails. `--record` also writes the table of all shops into docs/guides/frameworks.md.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type * as Testing from '../../../relay/testing/index.js';
import { signOrderToken } from '../../../widget/shop/index.js';
import { tarballs } from '../../tools/packages/tarballs.js';
import { launchBrowser } from '../../suite/support/browser.js';
import { freePort } from '../../suite/support/free-port.js';
import { environments, type Environment } from './environments.js';
import { mountIn } from './mounted.js';
import { here, run, serve, servePage } from './serve.js';
import { cellsOf, recordRows, tableLines, type Row } from './table.js';
import { visit } from './visit.js';

const NPM = 'npm install --no-audit --no-fund --prefer-offline';
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

/** A shop with a package.json of its own needs other versions of a library than the rest. */
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
  const { build, ignoredMessage, name, rendersOnServer, serve: command, types } = environment;
  const folder = join(here, 'apps', environment.folder);
  const started = Date.now();
  const failures: string[] = [];
  const passes = (step: string | null): boolean | null => {
    const failure = step === null ? null : run(step, folder);
    if (failure !== null) failures.push(failure);
    return step === null ? null : failure === null;
  };
  const typesPass = passes(types);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const checkout = await startTestCheckout({ origins: [origin] });
  const mounted = environment.mountsRelay ? mountIn(folder, origin, checkout.sandbox_url) : null;
  passes(build);
  failures.push(...(mounted?.afterBuild() ?? []));
  const relay = mounted?.relay ?? checkout.relay;
  const token = await signOrderToken(
    {
      aud: relay,
      jti: `order-${environment.folder}`.padEnd(10, '0'),
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'customer-42',
    },
    checkout.order_token_key,
  );
  const shop = command ? await serve(command, folder, port) : await servePage(folder, port);
  const query = new URLSearchParams({ relay, token });
  const visited = await visit(browser, checkout, `${shop.url}/?${query}`, rendersOnServer);
  failures.push(...((await mounted?.afterPayment()) ?? []));
  shop.close();
  mounted?.remove();
  await checkout.close();
  const messages = visited.console.filter((text) => !ignoredMessage?.test(text));
  const seconds = (Date.now() - started) / 1000;
  return { ...visited, console: messages, name, types: typesPass, failures, seconds };
}

install(tarballs());
// imported from the package, because its relay serves the package's own build of the element
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
const cells = rows.map(cellsOf);
console.log(tableLines(cells).join('\n'));
if (records) recordRows(cells);
const failed = rows.filter(
  ({ console: messages, failures, pays, receivesEvent, ssr, types }) =>
    [receivesEvent, pays, ssr, types].includes(false) || messages.length + failures.length > 0,
);
for (const { console: messages, failures, name } of failed)
  console.error([`\n${name}:`, ...messages, ...failures].join('\n'));
process.exit(failed.length === 0 ? 0 : 1);
