/**
 * `npm run stranger` follows the guide to a first shop like a developer who has never seen the
 * repository. In an empty folder it runs the guide's commands with the packed packages, pays in a
 * browser, and reads the shop's own database.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { payFixtures } from '../../../relay/testing/index.js';
import { launchBrowser } from '../../suite/support/browser.js';
import { freePort } from '../../suite/support/free-port.js';
import { pageProblems } from '../../suite/support/page-problems.js';
import { until } from '../../suite/support/wait.js';
import { root } from './manifests.js';
import { tarballs } from './tarballs.js';

const MAX_SECONDS = 180;
const MAX_COMMANDS = 6;
const START_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'stranger-'));
const processes: ChildProcess[] = [];
const commands: string[] = [];
process.once('exit', () => {
  // kills each process group, because npx starts the program as its child
  for (const { pid } of processes)
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // it has ended already
    }
  rmSync(folder, { recursive: true, force: true });
});

/** The guide's ports, each replaced by a free port, because another program may use it. */
const GUIDE_PORTS = ['9000', '8787', '3000'];
const freePorts = await Promise.all(GUIDE_PORTS.map(() => freePort()));
const withFreePorts = (text: string): string =>
  GUIDE_PORTS.reduce(
    (changed, port, index) => changed.replaceAll(port, String(freePorts[index])),
    text,
  );

function run(command: string): void {
  commands.push(command);
  console.log(`$ ${command}`);
  const { status, stderr, stdout } = spawnSync(withFreePorts(command), {
    cwd: folder,
    shell: true,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}\n${stdout}${stderr}`);
}

/** Starts a program that keeps running, and waits until its output says that it is ready. */
async function startProgram(command: string, ready: RegExp): Promise<void> {
  commands.push(command);
  console.log(`$ ${command} &`);
  const child = spawn(withFreePorts(command), { cwd: folder, shell: true, detached: true });
  processes.push(child);
  let output = '';
  const read = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`${command} ended\n${output}`);
      return ready.test(output);
    },
    `${command} to be ready`,
    START_MS,
  );
}

const guide = `${root}docs/guides/first-shop/`;
const [install = '', init = '', ...programs] =
  /```sh\n([^]*?)\n```/.exec(readFileSync(`${guide}README.md`, 'utf8'))?.[1]?.split('\n') ?? [];
const READY = [/sandbox on/, /"listening"/, /shop on/];
const copyWithFreePorts = (from: string, file: string): void =>
  writeFileSync(join(folder, file), withFreePorts(readFileSync(from, 'utf8')));

const packed = tarballs();
const started = Date.now();
run(install.replace(/\S*pay-checkout\S* \S*pay-checkout-relay\S*/, packed.join(' ')));
run(init);
copyWithFreePorts(join(folder, 'relay.config.json'), 'relay.config.json');
copyWithFreePorts(`${guide}shop.mjs`, 'shop.mjs');
for (const [index, program] of programs.entries())
  await startProgram(program.replace(/ &$/, ''), READY[index] ?? /./);

const browser = await launchBrowser();
const page = await browser.newPage();
const problems = pageProblems(page);
await page.goto(withFreePorts('http://localhost:3000/'));
const { customerPhone, payWith } = payFixtures({
  sandbox: withFreePorts('http://localhost:9000'),
});
await payWith({ page }, (pay) => pay('qr'));
await customerPhone({ page }, (phone) => phone.confirm());
// the customer leaves, so the shop must learn of the payment without the page
const address = page.url();
await page.goto('about:blank');

const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
const paid = (): unknown[] =>
  database.prepare('select * from orders where paid_at is not null').all();
await until(() => paid().length > 0, 'the payment to be recorded by the shop', START_MS);
const seconds = (Date.now() - started) / 1000;
console.log(`recorded in shop.db: ${JSON.stringify(paid())}`);

// the customer comes back, and must see the paid order and not begin a new one
await page.goto(address);
await page.locator('pay-checkout[phase="succeeded"]').waitFor();
await browser.close();
const orders = database.prepare('select id from orders').all().length;
database.close();

const failures = [
  ...problems.map((text) => `the page's console: ${text}`),
  ...(orders === 1 ? [] : [`${orders} orders of one customer`]),
  ...(seconds > MAX_SECONDS ? [`longer than ${MAX_SECONDS} s`] : []),
  ...(commands.length > MAX_COMMANDS ? [`more than ${MAX_COMMANDS} commands`] : []),
];
console.log(`stranger: ${commands.length} commands, ${seconds.toFixed(1)} s`);
for (const failure of failures) console.error(`stranger: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
