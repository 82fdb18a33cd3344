/**
 * Finds a Chromium for the tests and says how to start it; the answer fits the launch options of
 * puppeteer and of playwright alike.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

export interface Launch {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

// No flag here weakens what a page may do: CORS, CSP and secure contexts stay as a customer's
// browser has them.
const args = [
  '--no-sandbox', // root in a container has no sandbox
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage', // containers give /dev/shm 64 MB, then pages crash
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

let found: Promise<Launch> | undefined;

export const findChromium = (): Promise<Launch> => (found ??= find());

/** For tests that drive a browser from outside. */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await findChromium());

async function find(): Promise<Launch> {
  const asked = process.env.CHROME_PATH;
  if (asked && !existsSync(asked))
    throw new Error(`CHROME_PATH names ${asked}, which is not there`);
  const executablePath = asked || installed.find((path) => existsSync(path));
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  if (executablePath) return { executablePath, args: [...args], env };
  const home = await unpack();
  return {
    executablePath: join(home, 'chromium'),
    args: [...args],
    env: { ...env, ...fonts(home), ...libraries(home) },
  };
}

/**
 * Unpacks the browser that npm brought, once per version, into a folder of our own; returns that
 * folder.
 */
async function unpack(): Promise<string> {
  const home = join(
    tmpdir(),
    `pay-checkout-chromium-${packageVersion('@sparticuz/chromium')}-${process.getuid?.() ?? 0}`,
  );
  if (existsSync(home)) return home;
  const { default: shipped } = await import('@sparticuz/chromium');
  // The package takes any file of the right name for a finished one, so two runs starting together
  // would launch half a browser:
  // unpack aside, then rename, which is atomic.
  const aside = mkdtempSync(join(tmpdir(), 'pay-checkout-unpack-'));
  const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV };
  // The package unpacks into the temporary folder, and its shared libraries only where it believes
  // to be in a bare container.
  Object.assign(process.env, { TMPDIR: aside, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' });
  try {
    await shipped.executablePath();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  try {
    renameSync(aside, home);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(home)) throw error; // otherwise another run was quicker
  }
  return home;
}

/**
 * The bundled Open Sans, only where the machine has no font at all: without one every text is
 * invisible.
 */
function fonts(home: string): Record<string, string> {
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(homedir(), '.fonts'),
    join(homedir(), '.local/share/fonts'),
  ];
  if (existsSync('/etc/fonts/fonts.conf') && folders.some(holdsFont)) return {};
  const folder = join(home, 'fontconfig');
  mkdirSync(folder, { recursive: true });
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${join(home, 'fonts')}</dir>${folders.map((path) => `<dir>${path}</dir>`).join('')}`,
    `<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  ];
  writeFileSync(join(folder, 'fonts.conf'), lines.join('\n'));
  return { FONTCONFIG_PATH: folder, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

function holdsFont(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((name) =>
    /\.(ttf|otf|ttc|woff2?|pfb)$/i.test(String(name)),
  );
}

/** The bundled NSS, only where the machine lacks it. */
function libraries(home: string): Record<string, string> {
  const lib = join(home, 'al2023', 'lib');
  let missing = false;
  try {
    missing = execFileSync('ldd', [join(home, 'chromium')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).includes('not found');
  } catch {
    return {}; // no ldd: the launch itself will say what is missing
  }
  return missing
    ? { LD_LIBRARY_PATH: [lib, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') }
    : {};
}

function packageVersion(name: string): string {
  // The package does not export its package.json, so look for it above its entry.
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  while (!readManifest(folder)?.includes(`"name": "${name}"`)) folder = dirname(folder);
  return (JSON.parse(readManifest(folder) ?? '{}') as { version: string }).version;
}

function readManifest(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
