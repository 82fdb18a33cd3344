/** The commands for development: init, check, listen, trigger. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { answersAsConfig } from '../../../../relay/commands/init-config.js';
import { freePorts } from '../../../../relay/commands/init-ports.js';
import { verifyOrderToken } from '../../../../relay/intent/order-token.js';
import { readConfigFile } from '../../../../relay/node/read-config-file.js';
import { serveSandbox } from '../../../../relay/sandbox/serve.js';
import { selfSigned } from '../order-service/self-signed.js';
import { freePort } from '../../support/free-port.js';
import { RELAY_COMMAND } from '../../support/relay-command.js';
import {
  bearer,
  createWorld,
  openIntent,
  SECRETS,
  testConfig,
  until,
} from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { verifyEvent } from '../../../../widget/shop/index.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = temporaryFolder('development');
const WHSEC = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`;
const env = { PATH: process.env.PATH, ...SECRETS, WHSEC };

type Ended = { code: number | null; stdout: string; stderr: string };

/** Joins the lines of a finding, which `check` wraps. */
const unwrapped = (stdout: string): string => stdout.replace(/\n {7}(?=\S)/g, ' ');

const run = (
  args: readonly string[],
  input?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...env, ...more }, timeout: 300_000 };
    const child = execFile(
      process.execPath,
      [...RELAY_COMMAND, ...args],
      options,
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout: unwrapped(stdout), stderr }),
    );
    child.stdin?.end(input ?? '');
  });

let files = 0;
function write(content: unknown): string {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));
async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Received = { headers: IncomingMessage['headers']; body: string };
/** A shop's backend that keeps what it receives. */
async function receiver(status = 200): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
  });
  return { url: `${url}/hooks`, received };
}
const verified = ({ body, headers }: Received) =>
  verifyEvent(body, headers as Record<string, string>, [WHSEC]);

describe('pay-checkout-relay init', () => {
  it('init writes a valid configuration, and secrets that only the owner can read', async () => {
    const file = join(folder, 'new', 'relay.config.json');
    const { code, stderr, stdout } = await run(['init', '--file', file, '--yes', '--name', 'Leaf']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /relay\.config\.json/);
    const config = await readConfigFile(file);
    assert.deepEqual([config.shop.name, config.mode], ['Leaf', 'test']);
    // another program of this machine may have the usual port
    assert.match(config.public_url, /^http:\/\/localhost:(8787|879\d|880\d)$/);
    const secret = join(folder, 'new/secrets/secret-key');
    assert.equal(statSync(secret).mode & 0o077, 0);
    // not every reader of the shop removes a line break
    assert.match(readFileSync(secret, 'utf8'), /^[0-9a-f]{64}$/);
    assert.ok(!readFileSync(file, 'utf8').includes(readFileSync(secret, 'utf8').trim()));
    const again = await run(['init', '--file', file, '--yes']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /exists already; nothing was written.* in another folder/);
  });

  it('init writes a page that pays in the sandbox, and says what to run next', async () => {
    const file = join(folder, 'paged', 'relay.config.json');
    const { stdout } = await run(['init', '--file', file, '--yes', '--name', '<b>&']);
    const config = await readConfigFile(file);
    const page = readFileSync(join(folder, 'paged/page/index.html'), 'utf8');
    assert.ok(page.includes('<title>&#60;b&#62;&#38;</title>'));
    assert.ok(page.includes(`<script src="${config.public_url}/pay-checkout.js" defer>`));
    const token = /order-token="([^"]+)"/.exec(page)?.[1] ?? '';
    assert.equal((await verifyOrderToken(config, token)).claims.amount, '20');
    assert.match(stdout, /sandbox( --port \d+)?\n[^]*start --config /);
    assert.match(stdout, /start [^]*http\.server 30\d\d --directory .*page\nOpen /);
    assert.match(stdout, /in one more terminal:\n.* check --config [^\n]*\n$/);
    for (const [name, ...flags] of [
      ['elsewhere', '--origin', 'https://shop.example'],
      ['served', '--service', 'https://service.example'],
    ]) {
      await run(['init', '--file', join(folder, name ?? '', 'c.json'), '--yes', ...flags]);
      assert.throws(() => statSync(join(folder, name ?? '', 'page')));
    }
    const sold = join(folder, 'sold', 'c.json');
    await run(['init', '--file', sold, '--yes', '--catalogue']);
    const shown = readFileSync(join(folder, 'sold/page/index.html'), 'utf8');
    assert.match(shown, /<pay-checkout sku="tee"><\/pay-checkout>/);
  });

  it('init gives page, relay and sandbox the next ports that are free', async () => {
    const taken = [3000, 8787, 8788, 9000];
    const isFree = async (port: number): Promise<boolean> => !taken.includes(port);
    const never = async (): Promise<boolean> => false;
    const next = { page: 3001, relay: 8789, sandbox: 9001 };
    assert.deepEqual(await freePorts(isFree, never), next);
    assert.deepEqual(await freePorts(isFree, async () => true), { ...next, sandbox: 9000 });
    assert.deepEqual(await freePorts(never, never), { page: 3000, relay: 8787, sandbox: 9000 });
  });

  it('init sees a program that listens on one loopback, and writes the next port', async () => {
    const listener = createServer().listen(8787, '::1');
    // where the port is taken already, that other program is what init sees
    await Promise.race([once(listener, 'listening'), once(listener, 'error')]);
    const file = join(folder, 'taken', 'relay.config.json');
    const { stdout } = await run(['init', '--file', file, '--yes', '--currency', 'usd']);
    listener.close();
    const { options, public_url } = await readConfigFile(file);
    assert.notEqual(public_url, 'http://localhost:8787');
    assert.match(stdout, /start --config \S+ --port 8\d{3}\n/);
    assert.deepEqual(options[0]?.currencies, ['USD']);
  });

  it('init says in a sentence where it cannot write, and which name it refuses', async () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, '');
    for (const place of ['/proc/x', blocked]) {
      const { code, stderr } = await run(['init', '--yes', '--file', join(place, 'c.json')]);
      assert.match(stderr, /cannot be written|is no folder; choose another place with --file/);
      assert.equal(code, 1);
    }
    const named = await run(['init', '--yes', '--file', join(blocked, '../n/c'), '--name', 'a\nb']);
    assert.match(named.stderr, /--name: expected a name without line breaks/);
    assert.throws(() => statSync(join(folder, 'n')));
  });

  it('init asks the four questions when no flag answers them', async () => {
    const file = join(folder, 'asked', 'relay.config.json');
    const answers = 'Bean\nhttps://shop.example/basket\n\nEUR\n';
    const { code, stderr } = await run(['init', '--file', file], answers);
    assert.equal(code, 0, stderr);
    assert.equal(stderr.split('?').length - 1, 4);
    const { options, public_url, service, shop } = await readConfigFile(file);
    assert.deepEqual([shop.name, shop.origins], ['Bean', ['https://shop.example']]);
    assert.equal(public_url, 'https://shop.example/pay');
    assert.match(service.base_url, /^http:\/\/127\.0\.0\.1:90[01]\d$/);
    assert.deepEqual(options[0]?.currencies, ['EUR']);
  });

  it('init passes check without a finding for the sandbox, also behind a web server', async () => {
    for (const origin of ['http://localhost:3000', 'https://shop.example']) {
      const file = join(folder, `sandbox-${origin.length}`, 'relay.config.json');
      await run(['init', '--file', file, '--yes', '--origin', origin]);
      const { code, stdout } = await run(['check', '--config', file, '--offline']);
      assert.equal(code, 0, stdout);
      assert.doesNotMatch(stdout, /^(warn|error)/m);
      assert.equal((await readConfigFile(file)).statuses['20'], 'succeeded');
    }
  });

  it('init writes no status or code of another service, and says how to find them', async () => {
    const file = join(folder, 'another', 'relay.config.json');
    const service = ['--service', 'https://service.example', '--origin', 'https://shop.example'];
    const { code, stdout } = await run(['init', '--file', file, '--yes', ...service]);
    assert.equal(code, 0);
    assert.match(stdout, /statuses.*no order counts as paid[^]*unmapped_status/);
    const config = await readConfigFile(file);
    assert.deepEqual([config.statuses, config.service.not_found_codes], [{}, []]);
    assert.deepEqual(
      config.options.map(({ payment_channel }) => payment_channel),
      [undefined],
    );
    const checked = await run(['check', '--config', file, '--offline']);
    const findings = checked.stdout.split('\n').filter((line) => /^(warn|error)/.test(line));
    assert.equal(findings.length, 1, checked.stdout);
    assert.match(findings[0] ?? '', /^error +statuses: no order ever counts as paid; .*Ask/);
  });

  it('init names the field and writes nothing when an answer is wrong', async () => {
    const file = join(folder, 'wrong', 'relay.config.json');
    const { code, stderr } = await run(['init', '--file', file, '--yes', '--origin', 'nowhere']);
    assert.equal(code, 1);
    assert.match(stderr, /shop\.origins\.0: "nowhere"; expected/);
    assert.throws(() => statSync(join(folder, 'wrong')));
  });
});

describe('answersAsConfig', () => {
  it('allows the links of the sandbox, so that each option can be paid', async () => {
    const sandbox = await serveSandbox({ port: 0, host: '127.0.0.1' });
    await sandbox.close();
    const { links, options = [] } = answersAsConfig({});
    const { ask } = createWorld({
      config: { links, options },
      sandboxOptions: { publicUrl: sandbox.url },
    });
    assert.ok(options.length > 1);
    for (const { id } of options) {
      const pay = { ...openIntent, attempt: crypto.randomUUID(), option: id };
      assert.equal((await ask('/v1/pay', pay)).body.order?.outcome, 'pending', id);
    }
  });
});

describe('pay-checkout-relay check', () => {
  let sandboxPort = 0;
  let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
  before(async () => {
    sandboxPort = await freePort();
    sandbox = await serveSandbox({ port: sandboxPort, host: '127.0.0.1', deduplicate: false });
  });
  after(() => sandbox.close());
  const config = () => ({
    ...testConfig,
    service: { base_url: `http://127.0.0.1:${sandboxPort}` },
    ledger: `sqlite:${join(folder, 'checked.db')}`,
  });

  it('check ends with 0 when customers can pay, and names unreachable addresses', async () => {
    const { code, stdout } = await run(['check', '--config', write(config())]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok +service\.base_url: http:\/\/127\.0\.0\.1:\d+ can be reached$/m);
    assert.match(stdout, /^ok +clock: within \d+ s/m);
    assert.match(stdout, /^ok +ledger: \/.*\/checked\.db is new: start makes it$/m);
    assert.match(stdout, /^warn +public_url: no relay answers at .*healthz/m);
    assert.match(stdout, /^warn +limits\.trusted_hops: .*write 1/m);
    assert.throws(() => statSync(join(folder, 'checked.db')), 'the ledger was created');
  });

  it('check ends with 1 and prints the lines to write when customers cannot pay', async () => {
    const file = write({
      ...config(),
      service: { base_url: `http://127.0.0.1:${await freePort()}` },
      statuses: {},
      ledger: `sqlite:${join(folder, 'no-folder', 'x.db')}`,
    });
    const { code, stderr, stdout } = await run(['check', '--config', file]);
    assert.equal(code, 1);
    assert.match(stdout, /^error +statuses: .*write "statuses": \{"STATUS": "succeeded"\}/m);
    assert.match(stdout, /^error +service\.base_url: .*the connection is refused/m);
    assert.match(stdout, /^error +ledger: the folder .* does not exist \(ENOENT\); create it/m);
    assert.match(stderr, /errors to fix: 3/);
  });

  it('check reports a clock that differs from the service’s, unless it is offline', async () => {
    const late = await serve((_, response) => {
      response.setHeader('date', new Date(Date.now() - 600_000).toUTCString());
      response.end();
    });
    const file = write({ ...config(), service: { base_url: late } });
    const online = await run(['check', '--config', file]);
    assert.equal(online.code, 1);
    assert.match(
      online.stdout,
      /^error +clock: (599|60\d) s off the service's. If the clock of this machine .*set it/m,
    );
    const offline = await run(['check', '--config', file, '--offline']);
    assert.equal(offline.code, 0);
    assert.doesNotMatch(offline.stdout, /reached|clock/);
  });

  it('check does not blame the clock for an old answer that a cache repeats', async () => {
    const cached = await serve((_, response) => {
      response.setHeader('date', new Date(Date.now() - 600_000).toUTCString());
      response.setHeader('age', '600');
      response.end();
    });
    const file = write({ ...config(), service: { base_url: cached } });
    assert.match((await run(['check', '--config', file])).stdout, /^ok +clock: within \d+ s/m);
  });

  it('check warns of hints that no other relay of the ledger can receive', async () => {
    const file = write({ ...config(), ledger_hints: 'postgres://127.0.0.1:9/hints' });
    const { code, stdout } = await run(['check', '--config', file]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^warn +ledger_hints: is of no use: only relays that share a PostgreSQL/m);
  });

  it('check ends with 1 when no option is enabled, and prints an option to write', async () => {
    const options = testConfig.options?.map((option) => ({ ...option, enabled: false }));
    for (const none of [[], options]) {
      const file = write({ ...config(), options: none, deposits: [] });
      const { code, stdout } = await run(['check', '--config', file, '--offline']);
      assert.equal(code, 1);
      assert.match(stdout, /^error +options: customers find no way to pay; write .*"id": "card"/m);
    }
  });

  it('check names the origins that can be reached and those that cannot', async () => {
    const reached = await serve((_, response) => void response.end());
    const silent = `http://127.0.0.1:${await freePort()}`;
    const file = write({ ...config(), shop: { name: 'Shop', origins: [reached, silent] } });
    const { code, stdout } = await run(['check', '--config', file]);
    // only a warning, because the relay's machine may be unable to reach the shop's pages
    assert.equal(code, 0, stdout);
    assert.match(stdout, new RegExp(`^ok +shop\\.origins: ${reached} can be reached$`, 'm'));
    assert.match(
      stdout,
      new RegExp(`^warn +shop\\.origins: ${silent} cannot be reached from here: .*refused`, 'm'),
    );
  });

  it('check warns when a live service has the statuses that only the sandbox has', async () => {
    const sandboxTable = { 20: 'succeeded', 30: 'failed', 40: 'expired' };
    const check = async (mode: string, statuses: object): Promise<string> => {
      const file = write({ ...config(), mode, statuses });
      return (await run(['check', '--config', file, '--offline'])).stdout;
    };
    const warning = /^warn +statuses: the statuses of the sandbox; .*Ask/m;
    assert.match(await check('live', sandboxTable), warning);
    assert.match(await check('live', { 11: 'pending', ...sandboxTable }), warning);
    assert.doesNotMatch(await check('test', sandboxTable), warning);
    assert.doesNotMatch(
      await check('live', { ...sandboxTable, 20: 'pending', 21: 'succeeded' }),
      warning,
    );
  });

  it('check shows the answer to a query, and names the code of an unknown order', async () => {
    const answering = async (status: number, body: string, more: object = {}): Promise<string> => {
      const base_url = await serve((request, response) => {
        response.writeHead(status).end(request.method === 'POST' ? body : '');
      });
      const file = write({ ...config(), service: { base_url, ...more } });
      return (await run(['check', '--config', file])).stdout;
    };
    const wrongKey = JSON.stringify({ code: 401, message: 'bad\u0007 api key', data: null });
    assert.match(
      await answering(401, wrongKey),
      /^error +service\.query: HTTP 401, code 401, "bad api key": the service refuses the relay/m,
    );
    const unknown = JSON.stringify({ code: '7001', message: 'order not found', data: null });
    assert.match(
      await answering(200, unknown),
      /^warn +service\.query: HTTP 200, code 7001, "order not found".*_codes": \["7001"\]/m,
    );
    assert.match(
      await answering(200, unknown, { not_found_codes: ['7001'] }),
      /^ok +service\.query: HTTP 200, code 7001, "order not found"/m,
    );
    assert.match(
      await answering(200, '<h1>Log in</h1>'),
      /^error +service\.query: HTTP 200 without the documented envelope/m,
    );
  });

  it('check asks about a random order that is not in the ledger, and only online', async () => {
    const file = write(config());
    const { stdout } = await run(['check', '--config', file]);
    assert.match(stdout, /^warn +service\.query: HTTP \d+, code 4040/m);
    const calls = (await (await fetch(`http://127.0.0.1:${sandboxPort}/control/calls`)).json()) as {
      operation: string;
      body: { request_id: string };
    }[];
    const asked = calls.filter(({ operation }) => operation === 'query');
    assert.match(asked.at(-1)?.body.request_id ?? '', /^[a-z0-9]{26}$/);
    const offline = await run(['check', '--config', file, '--offline']);
    assert.doesNotMatch(offline.stdout, /service\.query/);
  });

  it('check says where links may lead, and warns when they may lead anywhere', async () => {
    const check = async (links?: object): Promise<string> => {
      const { links: _own, ...without } = config();
      const file = write({ ...without, ...(links && { links }) });
      return (await run(['check', '--config', file, '--offline'])).stdout;
    };
    assert.match(
      await check(),
      /^warn +links\.hosts: links to any https host are shown unless they name a port; write/m,
    );
    assert.match(
      await check({ hosts: ['pay.example', '*.pay.example'] }),
      /^ok +links: customers are sent to pay\.example, \*\.pay\.example$/m,
    );
    assert.match(await check({ hosts: [] }), /^ok +links: customers are sent to no host$/m);
  });

  it('check warns of a certificate only when it ends within 14 days', async () => {
    const endingIn = async (days: number): Promise<string> => {
      const ends = new Date(Date.now() + days * 86_400_000).toISOString();
      const utcTime = `${ends.replace(/\D/g, '').slice(2, 14)}Z`;
      const certificate = selfSigned('localhost', utcTime);
      const server = createTlsServer(certificate, (_, response) => void response.end());
      servers.push(server.listen(0, '127.0.0.1'));
      await once(server, 'listening');
      const trusted = join(folder, `${utcTime}.pem`);
      writeFileSync(trusted, certificate.cert);
      const base_url = `https://localhost:${(server.address() as AddressInfo).port}`;
      const file = write({ ...config(), service: { base_url } });
      const more = { NODE_EXTRA_CA_CERTS: trusted };
      return (await run(['check', '--config', file], '', more)).stdout;
    };
    const soon = await endingIn(5.5);
    assert.match(soon, /^ok +service\.base_url: https:\/\/localhost:\d+ can be reached$/m);
    assert.match(soon, /^warn +service\.base_url: its certificate ends in 5 days; renew it$/m);
    const later = await endingIn(15.5);
    assert.match(later, /^ok +service\.base_url: https:\/\/localhost:\d+ can be reached$/m);
    assert.doesNotMatch(later, /certificate/);
  });
});

describe('pay-checkout-relay trigger', () => {
  const config = (url: string, mode = 'test') =>
    write({ ...testConfig, mode, shop_events: { url, secret: { env: 'WHSEC' } } });

  it('trigger sends an event that verifyEvent accepts', async () => {
    const { received, url } = await receiver();
    const args = ['--config', config(url), '--intent-id', 'order-1', '--amount', '5'];
    const { code, stdout } = await run(['trigger', 'order.succeeded', ...args]);
    assert.equal(code, 0);
    assert.match(stdout, /^order\.succeeded evt_\S+ → 200$/m);
    const [first] = received;
    assert.ok(first);
    const event = await verified(first);
    assert.equal(event.type, 'order.succeeded');
    const { amount, intent_id, livemode, outcome } = event.data as unknown as Record<
      string,
      unknown
    >;
    assert.deepEqual([intent_id, amount, outcome, livemode], ['order-1', '5', 'succeeded', false]);
  });

  it('trigger ends with 1 when the receiver refuses, and sends nothing in live mode', async () => {
    const { received, url } = await receiver(401);
    const refused = await run(['trigger', 'order.failed', '--config', config(url)]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /401; the receiver has another secret/);
    const live = await run(['trigger', 'order.failed', '--config', config(url, 'live')]);
    assert.equal(live.code, 1);
    assert.match(live.stderr, /these events are for mode "test" only/);
    assert.equal(received.length, 1);
  });

  it('trigger ends with 2 when no order can have its amount or intent_id', async () => {
    for (const [flag, value] of [
      ['--amount', '1e2'],
      ['--intent-id', 'a b'],
    ] as const) {
      const args = ['order.failed', '--config', 'x.json', flag, value];
      const { code, stderr } = await run(['trigger', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`${flag} ${value}: expected`));
    }
  });

  it('trigger ends with 2 and lists the event types when its argument is unknown', async () => {
    const { code, stderr } = await run(['trigger', 'order.paid', '--config', 'x.json']);
    assert.equal(code, 2);
    assert.match(stderr, /order\.paid: expected one event[^]*order\.succeeded/);
  });
});

describe('pay-checkout-relay listen', () => {
  it('listen signs and forwards new events, and none from before its start', async () => {
    const world = createWorld({ config: { shop_events: undefined } });
    const answer = getRequestListener((request) => world.relay.fetch(request), {
      overrideGlobalObjects: false,
    });
    const relayUrl = await serve((incoming, outgoing) => void answer(incoming, outgoing));
    const pay = () =>
      world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
    await pay();
    const { received, url } = await receiver();
    const file = write({
      ...testConfig,
      shop_events: { url: 'https://shop.example/hooks', secret: { env: 'WHSEC' } },
    });
    const args = ['listen', '--config', file, '--forward', url, '--relay', relayUrl];
    const child = spawn(process.execPath, [...RELAY_COMMAND, ...args], { cwd: root, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(() => output.includes('forwarding the events'), 'listen has started');
    const { body } = await pay();
    await until(() => received.length > 0, 'the event');
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 0, output);
    const events = await Promise.all(received.map(verified));
    assert.deepEqual(
      events.map(({ data, type }) => [type, (data as { intent_id?: string }).intent_id]),
      [['order.created', body.order?.intent_id]],
    );
    const listed = await world.ask('/v1/events', {}, bearer);
    const ids = (listed.body.events as { id: string }[]).map(({ id }) => id);
    assert.equal(events[0]?.id, ids.at(-1));
  });
});
