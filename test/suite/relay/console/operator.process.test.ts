/** Wrong keys are counted, and never keep the operator out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../../../relay/config/secrets.js';
import { operatorPages } from '../../../../relay/console/operator.js';
import { createMetrics } from '../../../../relay/node/metrics.js';
import { createWorld } from '../../support/world.js';

describe('the operator’s key', () => {
  let now = 0;
  const { ledger, relay } = createWorld();
  const pages = operatorPages({
    relay,
    ledger,
    metrics: { ...createMetrics(), type: 'text/plain', page: async () => 'figures' },
    access: () => ({
      key: new Secret('the-right-key'),
      keys: [{ name: 'Prometheus', key: new Secret('the-key-that-reads'), role: 'read' }],
      hosts: [],
      keys_always_open: false,
    }),
    folder: new URL('file:///nowhere/'),
    log: () => {},
    elapsed: () => now,
  });
  const ask = async (remoteAddress: string, key?: string): Promise<number> => {
    const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
    const request = new Request('http://operator/metrics', { headers });
    return (await pages(request, { remoteAddress })).status;
  };

  it('takes the right key after five wrong ones from the same address', async () => {
    const guesses: number[] = [];
    for (let count = 0; count < 7; count++) guesses.push(await ask('203.0.113.7', `no-${count}`));
    assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429, 429]);
    assert.equal(await ask('203.0.113.7', 'the-right-key'), 200);
    assert.equal(await ask('203.0.113.8', 'the-right-key'), 200);
  });
  it('shows metrics to a key that only reads', async () => {
    assert.equal(await ask('203.0.113.9', 'the-key-that-reads'), 200);
  });
  it('allows further keys when a minute has passed, not when the wall clock steps', async (t) => {
    t.mock.timers.enable({ apis: ['Date'] });
    for (let count = 0; count < 5; count++) await ask('203.0.113.10', 'no');
    t.mock.timers.setTime(3_600_000);
    assert.equal(await ask('203.0.113.10', 'no'), 429);
    now += 60_000;
    assert.equal(await ask('203.0.113.10', 'no'), 401);
  });
  it('does not limit requests without an operator key or with the right one', async () => {
    for (let count = 0; count < 9; count++) assert.equal(await ask('203.0.113.9'), 401);
    for (let count = 0; count < 9; count++)
      assert.equal(await ask('203.0.113.9', 'the-right-key'), 200);
  });
  it('counts wrong keys from one IPv6 network as wrong keys from one address', async () => {
    for (let count = 0; count < 5; count++) await ask(`2001:db8::${count}`, 'no');
    assert.equal(await ask('2001:db8::9', 'no'), 429);
    assert.equal(await ask('2001:db8:1::9', 'no'), 401);
  });
});

describe('the metrics', () => {
  it('say that the ledger cannot be read, and no figure of it', async () => {
    const { ledger, relay } = createWorld();
    const gauges = await relay.gauges();
    let isDown = false;
    const logged: unknown[] = [];
    const pages = operatorPages({
      relay: {
        ...relay,
        gauges: () => (isDown ? Promise.reject(new Error('no disk')) : Promise.resolve(gauges)),
      },
      ledger,
      metrics: createMetrics(),
      access: () => ({
        key: new Secret('the-right-key'),
        keys: [],
        hosts: [],
        keys_always_open: false,
      }),
      folder: new URL('file:///nowhere/'),
      log: (...line) => logged.push(line),
    });
    const read = async (): Promise<string> => {
      const headers = { authorization: 'Bearer the-right-key' };
      const answer = await pages(new Request('http://operator/metrics', { headers }), {});
      assert.equal(answer.status, 200);
      return answer.text();
    };
    const figures = /^pay_checkout_(breaker_open|orders_open\{outcome="review"\}) 0$/gm;
    assert.match(await read(), /^pay_checkout_ledger_up 1$/m);
    isDown = true;
    const down = await read();
    assert.match(down, /^pay_checkout_ledger_up 0$/m);
    assert.equal(down.match(figures), null);
    assert.deepEqual(logged, [['error', 'metrics', { error: 'Error: no disk' }]]);
    isDown = false;
    assert.equal((await read()).match(figures)?.length, 2);
  });
});
