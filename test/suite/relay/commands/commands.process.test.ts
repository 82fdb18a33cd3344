/** The commands as an operator runs them: the relay and the sandbox are separate processes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printed, runCommand, type Run } from '../../support/run-command.js';
import { createWorld, openIntent, testConfig } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('commands');

const configFile = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const secrets = {
  TOKEN: 'order-token-key-of-the-tests-32-bytes',
  SECRET: 'secret-key-of-the-tests',
};
const relay = (...args: string[]): Run => runCommand(['relay', ...args], secrets);

describe('commands', () => {
  it('places one order when the relay is killed and restarted, and stops at SIGTERM', async () => {
    const sandbox = runCommand(['sandbox', '--port', '0']);
    const service = await printed(sandbox, /sandbox on (http:\S+?),/);
    const file = configFile('good.json', {
      ...testConfig,
      service: { base_url: service },
      links: { hosts: ['localhost'] },
      ledger: `sqlite:${join(folder, 'ledger.db')}`,
    });
    const first = relay('--config', file, '--port', '0');
    const url = await printed(first, /"url":"(http:[^"]+)"/);
    const ask = async (
      at: string,
      path: string,
      body: object,
    ): Promise<{ order: Record<'request_id' | 'order_key' | 'outcome' | 'order_no', string> }> =>
      (await (
        await fetch(at + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as never;

    assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: 'ok' });
    const attempt = crypto.randomUUID();
    const pay = { ...openIntent, attempt, option: 'card' };
    const { order } = await ask(url, '/v1/pay', pay);
    assert.equal(order.outcome, 'pending');
    first.child.kill('SIGKILL');
    await first.code;

    const second = relay('--config', file, '--port', '0');
    const again = await printed(second, /"url":"(http:[^"]+)"/);
    assert.deepEqual((await ask(again, '/v1/pay', pay)).order.order_no, order.order_no);
    const { order_key, request_id } = order;
    await fetch(`${service}/control/orders/${request_id}`, {
      method: 'POST',
      body: '{"action":"confirm"}',
    });
    const query = { request_id, order_key, known_status: 11, wait: 10 };
    assert.equal((await ask(again, '/v1/query', query)).order.outcome, 'succeeded');
    const calls = (await (await fetch(`${service}/control/calls`)).json()) as {
      operation: string;
    }[];
    assert.equal(calls.filter(({ operation }) => operation === 'pay').length, 1);
    second.child.kill('SIGTERM');
    assert.equal(await second.code, 0);
    sandbox.child.kill('SIGTERM');
    assert.equal(await sandbox.code, 0);
  });

  it('limits requests by customer address when a trusted proxy forwards them', async () => {
    const config = {
      ...testConfig,
      ledger: `sqlite:${join(folder, 'rate.db')}`,
      limits: { per_ip_per_minute: 5, trusted_hops: 1 },
    };
    const running = relay('--config', configFile('rate.json', config), '--port', '0');
    const url = await printed(running, /"url":"(http:[^"]+)"/);
    const ask = async (address: string): Promise<number> => {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': `6.6.6.6, ${address}`,
      };
      return (
        await fetch(`${url}/v1/checkout`, {
          method: 'POST',
          headers,
          body: JSON.stringify(openIntent),
        })
      ).status;
    };
    const first = [];
    for (let count = 0; count < 7; count++) first.push(await ask('203.0.113.7'));
    assert.deepEqual(first, [200, 200, 200, 200, 200, 429, 429]);
    assert.equal(await ask('203.0.113.8'), 200);
    running.child.kill('SIGTERM');
    assert.equal(await running.code, 0);
  });

  it('warns once and limits nobody when a proxy is not counted in trusted_hops', async () => {
    const config = {
      ...testConfig,
      ledger: `sqlite:${join(folder, 'proxy.db')}`,
      limits: { per_ip_per_minute: 2 },
    };
    const running = relay('--config', configFile('proxy.json', config), '--port', '0');
    const url = await printed(running, /"url":"(http:[^"]+)"/);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' };
      statuses.push(
        (
          await fetch(`${url}/v1/checkout`, {
            method: 'POST',
            headers,
            body: JSON.stringify(openIntent),
          })
        ).status,
      );
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    assert.equal(running.output().match(/limits\.trusted_hops is 0/g)?.length, 1);
    running.child.kill('SIGTERM');
    assert.equal(await running.code, 0);
  });

  it('signs requests with the function of a configuration module', async () => {
    const sandbox = runCommand(['sandbox', '--port', '0']);
    const service = await printed(sandbox, /sandbox on (http:\S+?),/);
    const seen = join(folder, 'signed.txt');
    const config = {
      ...testConfig,
      service: { base_url: service },
      links: { hosts: ['localhost'] },
      ledger: `sqlite:${join(folder, 'sign-module.db')}`,
    };
    const file = configFile(
      'signing.mjs',
      `import { appendFileSync } from 'node:fs';
      const config = ${JSON.stringify(config)};
      config.service.sign = ({ path, json }) => {
        appendFileSync(${JSON.stringify(seen)}, path + ' ' + JSON.parse(json).amount + '\\n');
        return { 'x-signature': String(json.length) };
      };
      export default config;`,
    );
    const running = relay('--config', file, '--port', '0');
    const url = await printed(running, /"url":"(http:[^"]+)"/);
    const paid = await fetch(`${url}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...openIntent, attempt: crypto.randomUUID(), option: 'qr' }),
    });
    assert.equal(paid.status, 200);
    assert.match(readFileSync(seen, 'utf8'), /^\/v1\/order\/pay 12\.50\n/);
    for (const child of [running.child, sandbox.child]) child.kill('SIGTERM');
    await running.code;
  });

  it('answers /readyz when the relay is ready', async () => {
    const running = relay(
      '--config',
      configFile('ready.json', { ...testConfig, ledger: `sqlite:${join(folder, 'ready.db')}` }),
      '--port',
      '0',
    );
    const url = await printed(running, /"url":"(http:[^"]+)"/);
    const ready = await fetch(`${url}/readyz`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [200, { status: 'ok', ledger: 'ok', keys: 'ok', service: 'ok' }],
    );
    running.child.kill('SIGTERM');
    assert.equal(await running.code, 0);
  });

  it('refuses a ledger that belongs to another service', async () => {
    const ledger = `sqlite:${join(folder, 'bound.db')}`;
    const running = relay(
      '--config',
      configFile('one.json', { ...testConfig, ledger }),
      '--port',
      '0',
    );
    await printed(running, /(listening)/);
    running.child.kill('SIGTERM');
    await running.code;
    const other = relay(
      '--config',
      configFile('two.json', { ...testConfig, ledger, mode: 'live' }),
      '--port',
      '0',
    );
    assert.equal(await other.code, 1);
    assert.match(other.output(), /ledger: belongs to "test https:\/\/service\.example"/);
  });

  it('signs a batch of tokens, and each token places an order', async () => {
    const config = configFile('sign.json', {
      ...testConfig,
      ledger: `sqlite:${join(folder, 'sign.db')}`,
    });
    const rows = join(folder, 'invoices.csv');
    writeFileSync(
      rows,
      'jti,amount,currency,product_name,customer_ref_id\n' +
        'invoice-1,10.50,USD,"Tea, ""green""",c-1\n' +
        'invoice-2,7,USD,Cup,c-2\n',
    );
    const signing = runCommand(['sign', '--config', config, rows], secrets);
    assert.equal(await signing.code, 0, signing.output());
    const [head, first, second] = signing.output().trim().split('\n');
    assert.equal(head, 'jti,amount,currency,product_name,customer_ref_id,order_token,expires_at');
    assert.match(first ?? '', /^invoice-1,10\.50,USD,"Tea, ""green""",c-1,eyJ/);
    const world = createWorld();
    for (const [line, amount] of [
      [first, '10.50'],
      [second, '7'],
    ] as const) {
      const order_token = /eyJ[\w.-]+/.exec(line ?? '')?.[0];
      const { body } = await world.ask('/v1/pay', {
        order_token,
        attempt: crypto.randomUUID(),
        option: 'qr',
      });
      assert.equal(body.order?.amount, amount);
    }
  });

  it('writes the jti of each row when the file has no jti column', async () => {
    const config = configFile('sign.json', {
      ...testConfig,
      ledger: `sqlite:${join(folder, 'sign.db')}`,
    });
    const rows = join(folder, 'nameless.csv');
    writeFileSync(rows, 'amount,currency,product_name,customer_ref_id\n10.50,USD,Tea,c-1\n');
    const signing = runCommand(['sign', '--config', config, rows], secrets);
    assert.equal(await signing.code, 0, signing.output());
    const [head = '', row = ''] = signing.output().trim().split('\n');
    const cells = Object.fromEntries(
      head.split(',').map((name, index) => [name, row.split(',')[index] ?? '']),
    );
    const claims = JSON.parse(
      Buffer.from((cells.order_token ?? '').split('.')[1] ?? '', 'base64url').toString(),
    ) as { jti: string };
    assert.ok(cells.jti);
    assert.equal(cells.jti, claims.jti);
  });

  it('signs nothing when one row of a batch is wrong', async () => {
    const file = join(folder, 'wrong.csv');
    writeFileSync(file, 'amount,currency,product_name,customer_ref_id\n1,USD,A,c\n1e3,USD,A,c\n');
    const signing = runCommand(
      ['sign', '--config', configFile('sign.json', testConfig), file],
      secrets,
    );
    assert.equal(await signing.code, 2);
    assert.match(signing.output(), /line 3: amount: a decimal string/);
    assert.doesNotMatch(signing.output(), /eyJ/);
  });

  for (const [what, args, code, expected] of [
    ['no --config', () => [], 2, /--config is required/],
    ['a bad port', () => ['--config', 'x.json', '--port', 'eighty'], 2, /--port: eighty/],
    ['an empty host', () => ['--config', 'x.json', '--host', ''], 2, /--host: expected an address/],
    [
      'a host that is no address of this machine',
      () => ['--config', configFile('host.json', testConfig), '--host', '203.0.113.1'],
      1,
      /203\.0\.113\.1/,
    ],
    ['an unknown flag', () => ['--confg', 'x.json'], 2, /--confg/],
    [
      'a flag that is given twice',
      () => ['--config', 'x.json', '--config=y.json'],
      2,
      /--config is given twice/,
    ],
    [
      'a file that does not exist',
      () => ['--config', join(folder, 'nope.json')],
      1,
      /nope\.json: cannot be read/,
    ],
    [
      'a file that is not JSON',
      () => ['--config', configFile('broken.json', '{')],
      1,
      /broken\.json: not JSON/,
    ],
    [
      'a wrong field',
      () => ['--config', configFile('wrong.json', { ...testConfig, mode: 'prod' })],
      1,
      /mode: "prod"; expected one of "live", "test"/,
    ],
    [
      'a missing secret',
      () => ['--config', configFile('secret.json', { ...testConfig, secret_key: { env: 'NOPE' } })],
      1,
      /secret_key: .*NOPE is missing/,
    ],
  ] as const)
    it(`prints one clear message when it is given ${what}`, async () => {
      const running = relay(...args());
      assert.equal(await running.code, code);
      assert.match(running.output(), expected);
      assert.doesNotMatch(running.output(), /\n\s+at /);
      for (const secret of Object.values(secrets)) assert.ok(!running.output().includes(secret));
    });
});
