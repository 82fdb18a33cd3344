/** Builds the Vendure shop of test/proofs/frameworks/vendure, and starts, kills and restarts it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';
import { write } from '../../tools/packages/compile.js';
import { vendureManifest } from '../../tools/packages/manifests.js';
import { vendureSource } from '../../tools/packages/plugins.js';
import { comparePlugin } from '../compare-plugin.js';

export const project = fileURLToPath(new URL('../frameworks/vendure/', import.meta.url));
export const ADMIN_PASSWORD = 'a-password-of-the-test';

const NPM = 'npm install --no-audit --no-fund --prefer-offline';
const START_MS = 180_000;

/** @throws Error with the output when the command fails */
function run(command: string, env: NodeJS.ProcessEnv = process.env): void {
  const options = { cwd: project, env, shell: true, encoding: 'utf8' } as const;
  const { status, stderr, stdout } = spawnSync(command, options);
  if (status !== 0) throw new Error(`${command} ended with ${status}\n${stdout}${stderr}`);
}

/** Installs Vendure and the packed packages, checks the types of the shop and builds it. */
export function buildShop(packed: readonly string[]): void {
  run(NPM);
  run(`${NPM} --no-save --no-package-lock ${packed.join(' ')}`);
  run('npx tsc -p .');
}

/**
 * Checks the types of the plugin, and builds it.
 *
 * @throws Error when that fails, or when the packed plugin is another one
 */
export function buildPlugin(): void {
  const folder = join(project, 'dist/plugin');
  rmSync(folder, { recursive: true, force: true });
  cpSync(vendureSource, join(folder, 'src'), { recursive: true });
  write(join(folder, 'package.json'), JSON.stringify(vendureManifest));
  const compilerOptions = { rootDir: 'src', outDir: 'dist' };
  const config = { extends: './src/tsconfig.json', compilerOptions, include: ['src'] };
  write(join(folder, 'tsconfig.json'), JSON.stringify(config));
  run('npx tsc -p dist/plugin');
  const packed = join(project, 'node_modules', vendureManifest.name, 'dist');
  comparePlugin(join(folder, 'dist'), packed);
}

export type VendureServer = {
  url: string;
  /** What Vendure printed since the first start. */
  output(): string;
  /** @param more is added to the environment that vendure-config.ts reads */
  start(more?: NodeJS.ProcessEnv): Promise<void>;
  /** Kills it as a power cut does. */
  kill(): Promise<void>;
};

/**
 * Fills an empty database.
 *
 * @param settings the environment that vendure-config.ts reads
 */
export async function prepareVendure(settings: NodeJS.ProcessEnv): Promise<VendureServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { HOME, PATH } = process.env;
  const env = {
    ...settings,
    PATH,
    HOME,
    ADMIN_PASSWORD,
    PORT: String(port),
    VENDURE_DISABLE_TELEMETRY: 'true',
  };
  run('node dist/populate.js', env);
  let output = '';
  let child: ChildProcess | undefined;
  const end = (): void => void child?.kill('SIGKILL');
  process.once('exit', end);
  return {
    url,
    output: () => output,
    start: async (more) => {
      const options = { cwd: project, env: { ...env, ...more } };
      const started = spawn(process.execPath, ['dist/start.js'], options);
      child = started;
      const read = (chunk: Buffer): void => void (output += chunk.toString());
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      await until(
        async () => {
          if (started.exitCode !== null) throw new Error(`Vendure ended: ${output.slice(-4000)}`);
          return (await fetch(`${url}/health`).catch(() => null))?.ok === true;
        },
        'Vendure to start',
        START_MS,
      );
    },
    kill: () =>
      new Promise((resolve) => {
        child?.once('exit', () => resolve());
        end();
      }),
  };
}
