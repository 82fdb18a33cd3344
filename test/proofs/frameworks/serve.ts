/** Serves a shop: with the server of its framework, or as a static page. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../suite/support/wait.js';

export const here = fileURLToPath(new URL('.', import.meta.url));

const START_MS = 120_000;
const BUILD_MS = 900_000;

const envOf = (folder: string): NodeJS.ProcessEnv => ({
  PATH: [join(folder, 'node_modules/.bin'), join(here, 'node_modules/.bin'), process.env.PATH].join(
    delimiter,
  ),
  HOME: process.env.HOME,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NEXT_FONT_GOOGLE_MOCKED_RESPONSES: join(here, 'google-fonts.cjs'),
});

/** @returns what the command printed when it failed; null when it succeeded */
export function run(command: string, folder: string): string | null {
  const options = { cwd: folder, shell: true, encoding: 'utf8', env: envOf(folder) } as const;
  const { status, stderr, stdout } = spawnSync(command, { ...options, timeout: BUILD_MS });
  return status === 0 ? null : `${command}\n${stdout}${stderr}`;
}

export type Served = { url: string; close(): void };

/**
 * Starts a framework's server in a process group, so that `close` also ends its child processes.
 */
export async function serve(command: string, folder: string, port: number): Promise<Served> {
  const child = spawn(command.replaceAll(/(?<=[ =])PORT\b(?!=)/g, String(port)), {
    cwd: folder,
    shell: true,
    detached: true,
    env: envOf(folder),
  });
  let output = '';
  const read = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const close = (): void => {
    process.off('exit', close);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended already
    }
  };
  process.once('exit', close);
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`${command} ended: ${output}`);
        return (await fetch(url).catch(() => null)) !== null;
      },
      `${command}: ${output}`,
      START_MS,
    );
  } catch (error) {
    close();
    throw error;
  }
  return { url, close };
}

/** Serves a folder's page, and fills the token of the query into it. */
export async function servePage(folder: string, port: number): Promise<Served> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const page = readFileSync(join(folder, 'index.html'), 'utf8').replace(
      '%TOKEN%',
      query.get('token') ?? '',
    );
    response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
