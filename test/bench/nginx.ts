/** nginx as a baseline, where it is installed. It forwards a pay, and answers all else itself. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { until } from '../support/wait.js';
import { stopperOf, type Contender } from './contenders.js';

const NGINX = '/usr/sbin/nginx';
const FIXED = '{"contract":1,"checkout":{"amount":"12.50","currency":"USD","options":[]}}';

/** One process, so that its CPU time is all that nginx needs. */
const configuration = (port: number, serviceUrl: string): string => `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream service { server ${new URL(serviceUrl).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    default_type application/json;
    location /v1/pay {
      proxy_pass http://service/pay;
      proxy_http_version 1.1;
      proxy_set_header connection "";
    }
    location / { return 200 '${FIXED}'; }
  }
}
`;

/** @returns none where nginx is not installed */
export async function startNginx(serviceUrl: string): Promise<Contender[]> {
  if (!existsSync(NGINX)) return [];
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(port, serviceUrl));
  const child = spawn(NGINX, ['-p', folder, '-c', 'nginx.conf'], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const answers = async (): Promise<boolean> => (await fetch(url).catch(() => null))?.ok === true;
  await until(answers, 'nginx listens');
  const running = { child, url, output: () => '' };
  const stop = stopperOf(running, () => rmSync(folder, { recursive: true }));
  return [{ ...running, name: 'nginx', deliversEvents: false, stop }];
}
