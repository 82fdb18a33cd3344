/** The runtimes: how each one starts the relay and the shop, and whether it can be used here. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));
const bin = (name: string): string => `${here}node_modules/.bin/${name}`;

type Runtime = {
  /** The command that starts the relay and the shop. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The program of the runtime; without it, or when it does not run here, nothing is tried. */
  readonly program: string;
  /** Titles of the tests that do not apply to the runtime, each with the reason. */
  readonly notApplicable: Readonly<Record<string, string>>;
};

const DENO_FLAGS = ['--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read'];
// the ledger's file, and its driver, which is native; the relay reads the limit of open files
const DENO_LEDGER = ['--allow-write', '--allow-ffi', '--allow-sys'];

export const runtimes: Readonly<Record<string, Runtime>> = {
  node: {
    program: process.execPath,
    command: [process.execPath, `${here}server.mjs`],
    notApplicable: {},
  },
  deno: {
    program: bin('deno'),
    command: [bin('deno'), 'run', ...DENO_FLAGS, ...DENO_LEDGER, `${here}server.mjs`],
    notApplicable: {},
  },
  bun: {
    program: bin('bun'),
    command: [bin('bun'), 'run', `${here}server.mjs`],
    notApplicable: {},
  },
  workerd: {
    program: bin('workerd'),
    command: [process.execPath, `${here}workerd.mjs`],
    notApplicable: {
      'serves the element’s script': 'a worker has no files; the page’s server serves the script',
      'renders the element with the customer’s code':
        'the renderer is a file beside the script, and a worker has no files',
    },
  },
};

/** @returns why the runtime cannot be used on this machine; null when it can */
export function whyAbsent({ program }: Runtime): string | null {
  if (!existsSync(program)) return `${program} is missing`;
  const { error, status, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0) return null;
  return `${program} does not run: ${error?.message ?? stderr.split('\n')[0]}`;
}
