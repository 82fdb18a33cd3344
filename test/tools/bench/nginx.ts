/** nginx, where it is installed: as a baseline, and as the proxy in front of another contender. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';
import type { Running } from '../../proofs/processes.js';
import { stopperOf, type Contender } from './contenders.js';

const NGINX = '/usr/sbin/nginx';
const FIXED = '{"contract":1,"checkout":{"amount":"12.50","currency":"USD","options":[]}}';

/** What nginx does: its processes, how it listens, and where it sends requests. */
type Role = { processes: string; listen: string; locations: string };

const PASS = `
      proxy_http_version 1.1;
      proxy_set_header connection "";`;

/** As a baseline it forwards a pay, and answers all else itself. */
const FORWARDER: Role = {
  // one process, so that its CPU time is all that nginx needs
  processes: 'master_process off;',
  listen: '',
  locations: `
    location /v1/pay {
      proxy_pass http://service/pay;${PASS}
    }
    location / { return 200 '${FIXED}'; }`,
};

const PROXY: Role = {
  // each page needs two connections, so two processes with 20,000 open files each share the pages
  processes: 'worker_processes 2;',
  listen: 'reuseport',
  // events must reach the page at once
  locations: `
    location / {
      proxy_pass http://service;${PASS}
      proxy_buffering off;
    }`,
};

const configuration = (
  port: number,
  serviceUrl: string,
  { listen, locations, processes }: Role,
): string => `
daemon off;
${processes}
pid nginx.pid;
error_log stderr warn;
events { worker_connections 19000; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream service { server ${new URL(serviceUrl).host}; keepalive 16384; }
  server {
    listen 127.0.0.1:${port} backlog=16384 ${listen};
    keepalive_requests 1000000;
    default_type application/json;${locations}
  }
}
`;

async function start(serviceUrl: string, role: Role): Promise<Running & Pick<Contender, 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(port, serviceUrl, role));
  const child = spawn(NGINX, ['-p', folder, '-c', 'nginx.conf'], { stdio: 'ignore' });
  // nginx ends its other processes only when it is asked to
  process.once('exit', () => child.kill('SIGTERM'));
  const url = `http://127.0.0.1:${port}`;
  const listens = (): Promise<boolean> =>
    fetch(url, { method: 'POST', body: '{"wait":0}' }).then(
      () => true,
      () => false,
    );
  await until(listens, 'nginx listens');
  const running = { child, url, output: () => '' };
  const remove = (): void => rmSync(folder, { recursive: true });
  return { ...running, stop: stopperOf(running, remove, 'SIGTERM') };
}

export const isNginxInstalled = (): boolean => existsSync(NGINX);

/** @returns none where nginx is not installed */
export async function startNginx(serviceUrl: string): Promise<Contender[]> {
  if (!isNginxInstalled()) return [];
  return [{ ...(await start(serviceUrl, FORWARDER)), name: 'nginx', deliversEvents: false }];
}

/**
 * nginx with `behind` as its upstream. CPU time and memory of the result are those of nginx alone.
 */
export async function startNginxBefore(behind: Contender): Promise<Contender> {
  const nginx = await start(behind.url, PROXY);
  const stop = async (): Promise<void> => {
    await nginx.stop();
    await behind.stop();
  };
  return { ...nginx, name: `nginx before ${behind.name}`, deliversEvents: false, stop };
}
