/** What a relay on Node takes over when its configuration changes, and what it refuses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { listen, nodeRelay, type NodeRelay } from '../../../../relay/server.js';
import { openIntent, SECRETS, testConfig } from '../../support/world.js';

const requests: IncomingMessage[] = [];
const service = createServer((request, response) => {
  requests.push(request);
  response.end();
});
let file: ConfigFile = testConfig;
before(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const base_url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  file = {
    ...testConfig,
    service: { base_url, headers: { 'x-api-key': { env: 'API_KEY' } } },
    operator: { port: 0, key: { env: 'OPERATOR' } },
    request_id_key: { env: 'REQUEST_IDS' },
  };
});
const stops: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
  service.close();
});

const ofStart: Record<string, string> = {
  ...SECRETS,
  API_KEY: 'the-first-api-key',
  OPERATOR: 'the-first-operator-key',
  REQUEST_IDS: 'request-id-key-of-the-tests-of-32-bytes',
};
const configOf = (change: Partial<ConfigFile> = {}, secrets: Record<string, string> = {}): Config =>
  parseConfig({ ...file, ...change }, (reference) =>
    'env' in reference ? { ...ofStart, ...secrets }[reference.env] : undefined,
  );

async function start(change: Partial<ConfigFile> = {}): Promise<{
  relay: NodeRelay;
  pay: () => Promise<number>;
  metrics: (key: string) => Promise<Response>;
}> {
  const relay = await nodeRelay(configOf(change), {
    script: new URL('file:///none'),
    ledger: memoryLedger(),
    log: () => {},
  });
  const { close, operatorPort, port } = await listen(relay, 0, 0);
  stops.push(close);
  return {
    relay,
    pay: async () => {
      const attempt = crypto.randomUUID();
      const answer = await fetch(`http://127.0.0.1:${port}/v1/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
        body: JSON.stringify({ ...openIntent, attempt, option: 'card' }),
      });
      return answer.status;
    },
    metrics: (key) =>
      fetch(`http://127.0.0.1:${operatorPort}/metrics`, {
        headers: { authorization: `Bearer ${key}` },
      }),
  };
}

describe('a relay on Node that takes another configuration', () => {
  it('sends the new key to the order service', async () => {
    const { pay, relay } = await start();
    await pay();
    await relay.reload(configOf({}, { API_KEY: 'the-second-api-key' }));
    requests.length = 0;
    await pay();
    assert.equal(requests[0]?.headers['x-api-key'], 'the-second-api-key');
  });

  it('opens /metrics by the new key only, with the counts of both configurations', async () => {
    const { metrics, pay, relay } = await start();
    await pay();
    const options = [{ id: 'new', label: 'New', payment_method: 'on_line' }] as const;
    await relay.reload(configOf({ options: [...options] }, { OPERATOR: 'the-second-key' }));
    await pay();
    assert.equal((await metrics('the-first-operator-key')).status, 401);
    const text = await (await metrics('the-second-key')).text();
    const requestsOf = /^pay_checkout_requests_total\{path="\/v1\/pay",status="\d+"\} (\d+)$/gm;
    assert.equal(
      [...text.matchAll(requestsOf)].reduce((sum, [, n]) => sum + Number(n), 0),
      2,
    );
    assert.match(text, /pay_checkout_orders_total\{option="new",outcome="succeeded"\} 0/);
  });

  it('goes on counting against a limit, and takes its new value', async () => {
    const limits = (per_ip_per_minute: number) => ({ trusted_hops: 1, per_ip_per_minute });
    const { pay, relay } = await start({ limits: limits(2) });
    const statuses = [await pay(), await pay(), await pay()];
    await relay.reload(configOf({ limits: limits(2) }));
    statuses.push(await pay());
    await relay.reload(configOf({ limits: limits(100) }));
    statuses.push(await pay());
    assert.deepEqual(
      statuses.map((status) => status === 429),
      [false, false, true, true, false],
    );
  });

  it('names each field whose change needs a restart, and no value', async () => {
    const { relay } = await start();
    const changed = configOf(
      {
        mode: 'live',
        service: { ...file.service, base_url: 'https://other.example', idle_ms: 7 },
        public_url: 'https://other.example/pay',
        ledger: 'sqlite:other.db',
        ledger_hints: 'postgres://other',
        operator: { port: 9, key: { env: 'OPERATOR' } },
        limits: { trusted_hops: 1 },
        options: [],
      },
      { REQUEST_IDS: 'another-request-id-key-of-32-bytes-' },
    );
    await assert.rejects(relay.reload(changed), (error) => {
      assert.ok(error instanceof ConfigError);
      const fields = ['mode', 'service.base_url', 'service.idle_ms', 'public_url', 'ledger'];
      fields.push('ledger_hints', 'request_id_key', 'operator.port', 'limits.trusted_hops');
      const expected = fields.map((field) => `${field}: a change needs a restart of the relay`);
      assert.deepEqual(error.problems, expected);
      return true;
    });
  });

  it('keeps its configuration when it refuses another one', async () => {
    const { pay, relay } = await start();
    const before = await pay();
    await assert.rejects(relay.reload(configOf({ mode: 'live', options: [] })), ConfigError);
    assert.equal(await pay(), before);
  });
});
