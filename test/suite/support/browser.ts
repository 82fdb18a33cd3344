/** Finds a Chromium for the tests; the launch options fit both puppeteer and playwright. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { writeFontConfiguration } from './browser-fonts.js';

export interface Launch {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

/** For machines that the npm package has no browser for. */
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

// no flag here changes the rules for pages: CORS, CSP and secure contexts work as usual
const args = [
  // Chromium has no sandbox for root in a container
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  // containers limit /dev/shm to 64 MB, and pages crash when it is full
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

let found: Promise<Launch> | undefined;

export const findChromium = (): Promise<Launch> => (found ??= find());

/** Starts a browser that a test controls from Node.js. */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await findChromium());

async function find(): Promise<Launch> {
  const chosenPath = process.env.CHROME_PATH;
  if (chosenPath && !existsSync(chosenPath))
    throw new Error(`CHROME_PATH names ${chosenPath}, which is not there`);
  // the machine's own browser may be any version: prefer the one that the lock file names
  const packageFits = process.platform === 'linux' && process.arch === 'x64';
  const executablePath =
    chosenPath || (packageFits ? undefined : installed.find((path) => existsSync(path)));
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  Object.assign(env, writeFontConfiguration());
  if (executablePath) return { executablePath, args: [...args], env };
  const home = await unpack();
  return {
    executablePath: join(home, 'chromium'),
    args: [...args],
    env: { ...env, ...libraries(home) },
  };
}

/**
 * Unpacks the browser from the npm package, once per version.
 * @returns the folder that it is in
 */
async function unpack(): Promise<string> {
  const home = join(
    tmpdir(),
    `pay-checkout-chromium-${packageVersion('@sparticuz/chromium')}-${process.getuid?.() ?? 0}`,
  );
  if (existsSync(home)) return home;
  const { default: shipped } = await import('@sparticuz/chromium');
  // the package accepts any file of the right name as complete, so a second run could start a
  // browser that is still being unpacked: unpack into another folder, then rename it atomically
  const unpacked = mkdtempSync(join(tmpdir(), 'pay-checkout-unpack-'));
  const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV };
  // the package unpacks into TMPDIR, and unpacks its shared libraries only on AWS Lambda
  Object.assign(process.env, { TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' });
  try {
    await shipped.executablePath();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  try {
    renameSync(unpacked, home);
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    // the folder exists when another run unpacked the browser in the meantime
    if (!existsSync(home)) throw error;
  }
  return home;
}

/** Adds the bundled shared libraries on a machine that lacks one of them. */
function libraries(home: string): Record<string, string> {
  const lib = join(home, 'al2023', 'lib');
  let missing = false;
  try {
    missing = execFileSync('ldd', [join(home, 'chromium')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).includes('not found');
  } catch {
    // without ldd, an error of the launch names the missing library
    return {};
  }
  return missing
    ? { LD_LIBRARY_PATH: [lib, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') }
    : {};
}

function packageVersion(name: string): string {
  // the package does not export its package.json, so look for it in the parents of its entry
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  while (!readManifest(folder)?.includes(`"name": "${name}"`)) folder = dirname(folder);
  return (JSON.parse(readManifest(folder) ?? '{}') as { version: string }).version;
}

function readManifest(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
