/** The runtimes: how each one starts a relay and the shop, and whether it can be used here. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));
const bin = (name: string): string => `${here}node_modules/.bin/${name}`;

export type Runtime = {
  /** The command that starts a relay and the shop. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The program of the runtime; without it, or when it does not run here, nothing is tried. */
  readonly program: string;
  /** The shop's side runs anywhere; the relay, and so a quick start, where it can open a ledger. */
  readonly tests: readonly ('relay' | 'shop' | 'quick-start')[];
};

const ALL = ['relay', 'shop', 'quick-start'] as const;
const DENO_FLAGS = ['--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read'];
// the ledger's file, and its driver, which is native; the relay reads the limit of open files
const DENO_LEDGER = ['--allow-write', '--allow-ffi', '--allow-sys'];

export const runtimes: Readonly<Record<string, Runtime>> = {
  node: {
    program: process.execPath,
    command: [process.execPath, `${here}server.mjs`],
    tests: ALL,
  },
  deno: {
    program: bin('deno'),
    command: [bin('deno'), 'run', ...DENO_FLAGS, ...DENO_LEDGER, `${here}server.mjs`],
    tests: ALL,
  },
  bun: {
    program: bin('bun'),
    command: [bin('bun'), 'run', `${here}server.mjs`],
    tests: ALL,
  },
  workerd: {
    program: bin('workerd'),
    // the relay beside it runs on Node.js
    command: [process.execPath, `${here}server.mjs`, './shop-in-workerd.mjs'],
    tests: ['shop'],
  },
};

/** @returns why the runtime cannot be used on this machine; null when it can */
export function whyAbsent({ program }: Runtime): string | null {
  if (!existsSync(program)) return `${program} is missing`;
  const { error, status, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0) return null;
  return `${program} does not run: ${error?.message ?? stderr.split('\n')[0]}`;
}
