/** A checkout as `text/plain`, which a browser sends to another origin without a preflight. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markRestored } from '../../support/ledger-calls.js';
import { createWorld, identityOn, openIntent, ORIGIN } from '../../support/world.js';

const PLAIN = { 'content-type': 'text/plain;charset=UTF-8' };
const attempt = 'f3a0c6de-2b1c-4d0e-9a55-0d3c5b7e9f10';
const asked = { ...openIntent, attempt };
const codeOf = ({ error }: Record<string, unknown>): unknown => (error as { code: string }).code;

describe('a checkout as text/plain', () => {
  it('is answered for a page of the shop, like one as JSON', async () => {
    const world = createWorld();
    const json = await world.ask('/v1/checkout', asked, { origin: ORIGIN });
    const plain = await world.ask('/v1/checkout', asked, { origin: ORIGIN, ...PLAIN });
    assert.equal(plain.status, 200);
    assert.deepEqual(plain, json);
  });

  for (const [what, headers, refusal] of [
    ['no origin', {}, [415, 'content_type_refused']],
    ['a foreign origin', { origin: 'https://other.example' }, [403, 'origin_refused']],
    ['the origin of a frame without one', { origin: 'null' }, [403, 'origin_refused']],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const { body, status } = await createWorld().ask('/v1/checkout', asked, {
        ...headers,
        ...PLAIN,
      });
      assert.deepEqual([status, codeOf(body)], refusal);
    });

  it('is read as strictly as JSON', async () => {
    const wrong = { ...asked, colour: 'red' };
    const headers = { origin: ORIGIN, ...PLAIN };
    const { body } = await createWorld().ask('/v1/checkout', wrong, headers);
    assert.equal(codeOf(body), 'invalid_request');
    assert.match(JSON.stringify(body.error), /"field":"colour"/);
  });

  it('shows the order of an intent, and writes and asks nothing', async () => {
    const world = createWorld();
    const { body } = await world.ask('/v1/pay', { ...asked, option: 'qr' });
    const calls = world.sandbox.calls.length;
    const id = await identityOn(world.ledger).intentIdOf(attempt);
    const before = await world.ledger.intent(id);
    assert.ok(before);
    const shown = await world.ask('/v1/checkout', asked, { origin: ORIGIN, ...PLAIN });
    assert.equal(shown.body.order?.request_id, body.order?.request_id);
    assert.equal(world.sandbox.calls.length, calls);
    assert.deepEqual(await world.ledger.intent(id), before);
  });

  it('is refused on a restored ledger, which must ask the service first', async () => {
    const world = createWorld();
    await markRestored(world.ledger, Date.now());
    const headers = { origin: ORIGIN, ...PLAIN };
    const { body, status } = await world.ask('/v1/checkout', asked, headers);
    assert.deepEqual([status, codeOf(body)], [415, 'content_type_refused']);
    const line = world.log.find(({ event }) => event === 'request');
    assert.match(String(line?.fields?.reason), /^the ledger was restored/);
    assert.equal(world.sandbox.calls.length, 0);
    assert.equal((await world.ask('/v1/checkout', asked, { origin: ORIGIN })).status, 200);
  });

  it('is named when a checkout comes with another type', async () => {
    const headers = { origin: ORIGIN, 'content-type': 'text/html' };
    const { body } = await createWorld().ask('/v1/checkout', asked, headers);
    assert.match(JSON.stringify(body), /must be application\/json or text\/plain/);
  });

  it('is the only operation that takes it', async () => {
    const world = createWorld();
    for (const path of ['/v1/pay', '/v1/query', '/v1/deposit-address']) {
      const { status } = await world.ask(
        path,
        { ...asked, option: 'qr' },
        { origin: ORIGIN, ...PLAIN },
      );
      assert.equal(status, 415, path);
    }
    assert.equal(world.pays().length, 0);
  });
});
