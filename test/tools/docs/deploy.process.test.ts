/** The deployment examples. A program such as nginx checks its example if it is installed here. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { commands } from '../../../relay/commands/command-table.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { DRAIN_WITHIN_MS } from '../../../relay/node/listener.js';
import { flagTexts } from '../contract/operator-texts.js';
import { relayManifest } from '../packages/manifests.js';
import { freePort } from '../../suite/support/free-port.js';
import { printed, runCommand } from '../../suite/support/run-command.js';
import { until } from '../../suite/support/wait.js';

const deploy = fileURLToPath(new URL('../../../docs/deploy/', import.meta.url));
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
after(() => rmSync(folder, { recursive: true }));

/** The environment variables of the examples. */
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  LEDGER_PASSWORD: 'a-password',
  ORDER_TOKEN_KEY: 'a-key-of-at-least-thirty-two-bytes-x',
  RELAY_SECRET_KEY: 'a-key-of-at-least-thirty-two-bytes-y',
  REQUEST_ID_KEY: 'a-key-of-at-least-thirty-two-bytes-z',
};
const has = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { env, stdio: 'ignore' }).status === 0;
/** Runs a program; its output is the message when it fails. */
function passes(program: string, ...args: string[]): void {
  const { status, stderr, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

type Service = {
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  stop_grace_period?: string;
};
const compose = parse(read('compose.yaml')) as { services: Record<string, Service> };

/** The words of an instruction of the Dockerfile. */
function wordsOf(instruction: 'ENTRYPOINT' | 'CMD'): string[] {
  const list = new RegExp(`^${instruction} (.+)$`, 'm').exec(read('Dockerfile'))?.[1];
  return z.array(z.string()).parse(JSON.parse(list ?? 'null'));
}

/** The folder of the image that the packages are installed into; it starts in another one. */
const appFolder = (): string => /^WORKDIR (\S+)$/m.exec(read('Dockerfile'))?.[1] ?? '';

/** Splits a command of `pay-checkout-relay`, and asserts that it exists with each of its flags. */
function readCommand([name = '', ...words]: readonly string[]): Record<string, string> {
  assert.ok(Object.hasOwn(commands, name), `the command ${name}`);
  const flags: Record<string, string> = {};
  for (let at = 0; at < words.length; at += 2) {
    const flag = words[at]?.replace(/^--/, '') ?? '';
    assert.ok(Object.hasOwn(flagTexts[name] ?? {}, flag), `${name} ${words[at]}`);
    flags[flag] = words[at + 1] ?? '';
  }
  return flags;
}

/** The container's port: the last part of `ADDRESS:PORT:CONTAINER_PORT`. */
const publishedPort = (service: Service | undefined): string | undefined =>
  service?.ports?.[0]?.split(':').at(-1);

describe('the deployment examples', () => {
  it('starts the file that the package installs as its command', () => {
    const installed = `node_modules/${relayManifest.name}/`;
    const command = installed + relayManifest.bin['pay-checkout-relay'];
    const [program, ...words] = wordsOf('ENTRYPOINT');
    assert.equal(program, 'node');
    assert.equal(words.at(-1), `${appFolder()}/${command}`);
    const package_ = `"(\\./)?${relayManifest.name}[@-]\\$\\{VERSION\\}(\\.tgz)?"`;
    assert.match(read('Dockerfile'), new RegExp(`npm install .*${package_}`));
    const [, unit = ''] = /^ExecStart=\S+ (.+)$/m.exec(read('pay-checkout-relay.service')) ?? [];
    const inUnit = unit.split(' ').filter((word) => !word.startsWith('--max-'));
    assert.equal(inUnit[0], `/opt/relay/${command}`);
    readCommand(inUnit.slice(1));
  });

  it('starts the relay’s container in its volume, where a relative ledger is kept', () => {
    const folders = [...read('Dockerfile').matchAll(/^WORKDIR (\S+)$/gm)].map(([, name]) => name);
    assert.equal(folders.at(-1), /^VOLUME (\S+)$/m.exec(read('Dockerfile'))?.[1]);
  });

  it('names commands and flags that exist in the comments of the unit', () => {
    const unit = read('pay-checkout-relay.service').replace(/\\\n# */g, '');
    const commandsInComments = [...unit.matchAll(/^#.*\.bin\/pay-checkout-relay (.+)$/gm)];
    assert.ok(commandsInComments.length > 0);
    for (const [, words = ''] of commandsInComments) readCommand(words.split(' '));
  });

  it('gives the relay’s container a command, flags and a port that exist', () => {
    const flags = readCommand(wordsOf('CMD'));
    const dockerfile = read('Dockerfile');
    assert.equal(flags.host, '0.0.0.0', 'other containers and the published port reach it');
    assert.equal(flags.config, `${appFolder()}/relay.config.json`);
    assert.match(dockerfile, /^COPY .* relay\.config\.json \.\/$/m);
    assert.match(dockerfile, new RegExp(`^EXPOSE ${flags.port}$`, 'm'));
    assert.match(
      dockerfile,
      new RegExp(`fetch\\('http://127\\.0\\.0\\.1:${flags.port}/readyz'\\)`),
    );
    assert.equal(publishedPort(compose.services.relay), flags.port);
    for (const proxy of ['nginx.conf', 'Caddyfile'])
      assert.match(read(proxy), new RegExp(`127\\.0\\.0\\.1:${flags.port}\\b`), proxy);
  });

  it('gives the sandbox’s container a command and flags that exist, and its port', async () => {
    const { command = [], ports } = compose.services.sandbox ?? {};
    const flags = readCommand(command);
    assert.equal(flags.host, '0.0.0.0', 'the relay’s container reaches it');
    const port = publishedPort({ ports });
    assert.equal(new URL(flags['public-url'] ?? '').port, port);
    assert.ok(commands.sandbox.usage.includes(`port ${port} by default`));
    const { service } = JSON.parse(read('relay.config.json')) as { service: { base_url: string } };
    assert.equal(service.base_url, `http://sandbox:${port}`);
    const started = runCommand([...command, '--port', '0']);
    await printed(started, /(sandbox on )/);
    started.child.kill('SIGTERM');
    assert.equal(await started.code, 0);
  });

  it('starts Node with the same flags in the container and by systemd', () => {
    const flagsIn = (line: RegExp): string[] | null =>
      line
        .exec(read('Dockerfile') + read('pay-checkout-relay.service'))?.[0]
        .match(/--max-[^\s"]+/g) ?? null;
    const inContainer = flagsIn(/^ENTRYPOINT .+$/m);
    assert.ok(inContainer);
    assert.deepEqual(flagsIn(/^ExecStart=.+$/m), inContainer);
  });

  it('gives the relay’s container every secret that its configuration names', () => {
    const environment = compose.services.relay?.environment ?? {};
    const ledger = 'postgres://relay:a-password@ledger/relay';
    const named: string[] = [];
    const config = parseConfig(JSON.parse(read('relay.config.json')), (reference) => {
      if (!('env' in reference)) return undefined;
      named.push(reference.env);
      return reference.env === 'LEDGER' ? ledger : 'a-key-of-at-least-thirty-two-bytes-x';
    });
    assert.equal(config.mode, 'test');
    assert.deepEqual(Object.keys(environment).sort(), [...new Set(named)].sort());
  });

  it('gives a relay time to answer its requests under way before it is stopped', () => {
    const seconds = DRAIN_WITHIN_MS / 1000;
    const inUnit = /^TimeoutStopSec=(\d+)$/m.exec(read('pay-checkout-relay.service'))?.[1];
    const inCompose = /^(\d+)s$/.exec(compose.services.relay?.stop_grace_period ?? '')?.[1];
    for (const found of [inUnit, inCompose]) assert.ok(Number(found) > seconds, found);
  });

  it('has proxies that wait longer than a long poll and let no customer forge an address', () => {
    for (const name of ['nginx.conf', 'Caddyfile']) {
      const timeout = /timeout (\d+)s/.exec(read(name))?.[1];
      assert.ok(Number(timeout) > 25, name);
      assert.match(read(name), /X-Forwarded-For (\$remote_addr|\{remote_host\})/);
    }
  });

  it('passes the check of docker compose', { skip: !has('docker', 'compose', 'version') }, () =>
    passes('docker', 'compose', '-f', join(deploy, 'compose.yaml'), 'config', '--quiet'),
  );

  it('has nginx lines that no location of the shop for its own files takes from the relay', () => {
    const guide = readFileSync(join(deploy, '../guides/run-the-relay.md'), 'utf8');
    for (const text of [read('nginx.conf'), guide])
      assert.deepEqual(text.match(/^location .+$/gm), ['location ^~ /pay/ {']);
  });

  it(
    'passes the check of nginx, which forwards the relay’s files',
    { skip: !has('nginx', '-v') },
    async (t) => {
      const file = join(folder, 'nginx.conf');
      const relay = createServer((request, response) => response.end(request.url));
      await once(relay.listen(0, '127.0.0.1'), 'listening');
      const { port } = relay.address() as AddressInfo;
      const shop = await freePort();
      const location = read('nginx.conf').replace(/^#.*$/gm, '').replace(':8787', `:${port}`);
      const ofShop = 'location ~* \\.(css|png|svg|json)$ { return 404; }';
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const server = `server { listen 127.0.0.1:${shop}; ${location} ${ofShop} }`;
      const head = `daemon off; error_log stderr; pid ${folder}/nginx.pid; events {}`;
      writeFileSync(file, `${head} http { access_log off; ${folders.join(' ')} ${server} }`);
      passes('nginx', '-t', '-q', '-c', file, '-p', folder);
      const nginx = spawn('nginx', ['-c', file, '-p', folder], { env });
      t.after(() => {
        nginx.kill();
        relay.close();
      });
      const get = (path: string): Promise<string> =>
        fetch(`http://127.0.0.1:${shop}${path}`).then((answer) => answer.text());
      await until(() => get('/pay/').then(Boolean, () => false), 'nginx listens');
      for (const path of ['/locales/de.json', '/marks/card.svg'])
        assert.equal(await get(`/pay${path}`), path);
    },
  );

  it('passes the check of Caddy', { skip: !has('caddy', 'version') }, () =>
    passes('caddy', 'validate', '--adapter', 'caddyfile', '--config', join(deploy, 'Caddyfile')),
  );

  it('passes the check of systemd', { skip: !has('systemd-analyze', '--version') }, () => {
    // only the shop's machine has the program and the folder of the example
    const unit = read('pay-checkout-relay.service')
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/relay', folder);
    const file = join(folder, 'pay-checkout-relay.service');
    writeFileSync(file, unit);
    passes('systemd-analyze', 'verify', '--man=no', file);
  });
});
