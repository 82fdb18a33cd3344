/** Refused requests leave a few log lines and a count, and unknown paths count against limits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleRefusals } from '../../../../relay/http/sample-refusals.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { systemClock, type Log } from '../../../../relay/runtime.js';
import { createWorld } from '../../support/world.js';

describe('the log lines of refused requests', () => {
  type Line = { event: string; fields: Record<string, unknown> };
  const sampled = (): {
    lines: Line[];
    at: { ms: number };
    log: Log;
    logSuppressed: () => void;
  } => {
    const lines: Line[] = [];
    const at = { ms: 5000 };
    const write: Log = (_, event, fields = {}) => void lines.push({ event, fields });
    return { lines, at, ...sampleRefusals(write, () => at.ms) };
  };

  it('writes ten refused requests a second per code, and counts the others', () => {
    const { at, lines, log } = sampled();
    for (let count = 0; count < 500; count++) log('info', 'request', { status: 404, code: 'a' });
    log('info', 'request', { status: 401, code: 'b' });
    assert.equal(lines.length, 11);
    at.ms += 1000;
    log('info', 'request', { status: 404, code: 'a' });
    assert.deepEqual(lines.at(-1)?.fields, { status: 404, code: 'a', suppressed: 490 });
    log('info', 'request', { status: 404, code: 'a' });
    assert.equal(lines.at(-1)?.fields.suppressed, undefined);
  });

  it('writes ten of those that are answered with service_unavailable', () => {
    const { lines, log } = sampled();
    const fields = { status: 503, code: 'service_unavailable' };
    for (let count = 0; count < 50; count++) log('error', 'request', fields);
    assert.equal(lines.length, 10);
  });

  it('counts the omitted lines in a separate line when no more requests come', () => {
    const { at, lines, log, logSuppressed } = sampled();
    for (let count = 0; count < 12; count++) log('info', 'request', { status: 429, code: 'a' });
    logSuppressed();
    assert.equal(lines.length, 10);
    at.ms += 1000;
    logSuppressed();
    logSuppressed();
    const last = { event: 'refused', fields: { code: 'a', suppressed: 2 } };
    assert.deepEqual(lines.slice(10), [last]);
  });

  it('writes ten failed checks of /readyz a second, and counts the others', async () => {
    const ledger = { ...memoryLedger(), ping: () => Promise.reject(new Error('down')) };
    let elapsed = 5000;
    const clock = { ...systemClock, elapsed: () => elapsed };
    const world = createWorld({ ledger, clock });
    const ask = (): Response | Promise<Response> =>
      world.relay.fetch(new Request('https://shop.example/readyz'));
    for (let count = 0; count < 500; count++) assert.equal((await ask()).status, 503);
    const fields = { check: 'ledger', error: 'Error: down' };
    const lines = (): unknown[] => world.log.filter(({ event }) => event === 'readyz');
    assert.deepEqual(lines(), Array(10).fill({ level: 'error', event: 'readyz', fields }));
    elapsed += 1000;
    await ask();
    const next = { level: 'error', event: 'readyz', fields: { ...fields, suppressed: 490 } };
    assert.deepEqual(lines().at(-1), next);
  });

  it('writes ten checkouts without a way to pay a second', () => {
    const { lines, log } = sampled();
    for (let count = 0; count < 50; count++) log('warn', 'no_option', { mode: 'open' });
    assert.equal(lines.length, 10);
  });

  it('writes refused requests again when the clock steps back', () => {
    const { at, lines, log } = sampled();
    for (let count = 0; count < 12; count++) log('info', 'request', { status: 404, code: 'a' });
    at.ms = 0;
    log('info', 'request', { status: 404, code: 'a' });
    assert.deepEqual(lines.at(-1)?.fields.suppressed, 2);
  });

  it('omits no line of a success, a relay failure or another event', () => {
    const { lines, log } = sampled();
    for (let count = 0; count < 50; count++) {
      log('info', 'request', { status: 200 });
      log('error', 'request', { status: 500, code: 'internal' });
      log('warn', 'pay', { code: '4000' });
    }
    assert.equal(lines.length, 150);
  });
});

describe('an unknown path', () => {
  it('counts unknown paths against the limit by address', async () => {
    let points = 3;
    const world = createWorld({ limiter: async (bucket) => bucket !== 'ip' || points-- > 0 });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) {
      const request = new Request('https://shop.example/nothing');
      statuses.push((await world.relay.fetch(request, { address: '203.0.113.7' })).status);
    }
    assert.deepEqual(statuses, [404, 404, 404, 429]);
  });
});
