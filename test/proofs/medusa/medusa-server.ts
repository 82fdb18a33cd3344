/** Builds the Medusa shop of test/proofs/frameworks/medusa, and starts, kills and restarts it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';

export const project = fileURLToPath(new URL('../frameworks/medusa/', import.meta.url));
/** `medusa build` writes the program here; it finds its libraries in the project's folder. */
const built = join(project, '.medusa/server');
export const cli = join(project, 'node_modules/.bin/medusa');

const NPM = 'npm install --no-audit --no-fund --prefer-offline';
const START_MS = 180_000;
const ADMIN = { email: 'admin@shop.example', password: 'a-password-of-the-test' };

/** @throws Error with the output when the command fails */
export function run(command: string, cwd: string, env: NodeJS.ProcessEnv = process.env): void {
  const options = { cwd, env, shell: true, encoding: 'utf8' } as const;
  const { status, stderr, stdout } = spawnSync(command, options);
  if (status !== 0) throw new Error(`${command} ended with ${status}\n${stdout}${stderr}`);
}

/** Installs Medusa and the packed packages, checks the types of the shop and builds it. */
export function buildShop(packed: readonly string[]): void {
  run(NPM, project);
  run(`${NPM} --no-save --no-package-lock ${packed.join(' ')}`, project);
  run('npx tsc --noEmit -p .', project);
  run(`${cli} build`, project, environment({}));
}

export const environment = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  MEDUSA_DISABLE_TELEMETRY: 'true',
  JWT_SECRET: 'a-secret-of-the-test',
  COOKIE_SECRET: 'a-secret-of-the-test',
  ...settings,
});

export type MedusaServer = {
  url: string;
  /** What Medusa printed since the first start. */
  output(): string;
  /** @param more settings, for this start only */
  start(more?: NodeJS.ProcessEnv): Promise<void>;
  /** Kills it as a power cut does. */
  kill(): Promise<void>;
};

/**
 * Creates the tables and an administrator in an empty database.
 *
 * @param settings the environment that medusa-config.ts reads
 */
export async function prepareMedusa(settings: NodeJS.ProcessEnv): Promise<MedusaServer> {
  const env = environment(settings);
  run(`${cli} db:migrate`, built, env);
  run(`${cli} user -e ${ADMIN.email} -p ${ADMIN.password}`, built, env);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  let child: ChildProcess | undefined;
  const end = (): void => {
    try {
      if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended already
    }
  };
  process.once('exit', end);
  return {
    url,
    output: () => output,
    start: async (more = {}) => {
      const started = spawn(cli, ['start', '--port', String(port), '--host', '127.0.0.1'], {
        cwd: built,
        env: { ...env, ...more },
        detached: true,
      });
      child = started;
      const read = (chunk: Buffer): void => void (output += chunk.toString());
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      await until(
        async () => {
          if (started.exitCode !== null) throw new Error(`Medusa ended: ${output.slice(-4000)}`);
          return (await fetch(`${url}/health`).catch(() => null))?.ok === true;
        },
        'Medusa to start',
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

/** @returns a token of the administrator for the admin API */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/user/emailpass`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  if (!response.ok) throw new Error(`/auth/user/emailpass: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}
