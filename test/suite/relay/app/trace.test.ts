/** The trace of a request reaches the service, the log and the shop, and that of no other does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import { bearer, createWorld, openIntent, ORIGIN, until, type World } from '../../support/world.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const traced = { traceparent, tracestate: 'shop=1' };

type Traced = World & {
  /** The operation of each call of the service, with its `traceparent`. */
  sent: [string, string | null][];
  /** The type of each event that the shop got, with its `traceparent`. */
  events: [string, string | null][];
};

const newSandbox = (): Sandbox => createSandbox({ publicUrl: 'https://service.example' });

type Shared = { clock?: ManualClock; ledger?: Ledger; inner?: Sandbox };

function tracedWorld({ inner = newSandbox(), ...shared }: Shared = {}): Traced {
  const sent: Traced['sent'] = [];
  const events: Traced['events'] = [];
  const sandbox: Sandbox = {
    ...inner,
    fetch: async (request) => {
      const operation = new URL(request.url).pathname.split('/').at(-1) ?? '';
      sent.push([operation, request.headers.get('traceparent')]);
      assert.equal(request.headers.get('tracestate'), null);
      return inner.fetch(request);
    },
  };
  const world = createWorld({
    ...shared,
    sandbox,
    config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
    shopFetch: async (_url, init) => {
      const { type } = JSON.parse(String(init.body)) as { type: string };
      events.push([type, new Headers(init.headers).get('traceparent')]);
      return new Response();
    },
  });
  return { ...world, sent, events };
}

const payByCard = () => ({ ...openIntent, attempt: crypto.randomUUID(), option: 'card' });
const tracesOf = ({ log }: World): [string, unknown][] =>
  log.map(({ event, fields }) => [event, fields.trace_id]);

describe('the trace of a request', () => {
  it('goes with a pay to the service, the log line, and the event of the shop', async () => {
    const world = tracedWorld();
    await world.ask('/v1/pay', payByCard(), traced);
    await world.relay.tick();
    await until(() => world.events.length > 0, 'the event');
    assert.deepEqual(world.sent, [['pay', traceparent]]);
    assert.deepEqual(world.events, [['order.created', traceparent]]);
    assert.deepEqual(tracesOf(world), [
      ['request', TRACE_ID],
      ['shop_event', TRACE_ID],
    ]);
  });

  it('goes with the log line of a pay whose answer was lost, and with its query', async () => {
    const world = tracedWorld();
    world.sandbox.faults.add({ operation: 'pay', fault: 'cut_after' });
    await world.ask('/v1/pay', payByCard(), traced);
    assert.deepEqual(
      world.sent.map(([, header]) => header),
      world.sent.map(() => traceparent),
    );
    assert.ok(world.sent.length > 1);
    assert.ok(tracesOf(world).every(([, traceId]) => traceId === TRACE_ID));
    assert.ok(tracesOf(world).some(([event]) => event === 'pay'));
  });

  it('goes with the query of a backend, and the event of what it found', async () => {
    const world = tracedWorld();
    const { order } = (await world.ask('/v1/pay', payByCard())).body;
    const { intent_id = '', request_id = '' } = order ?? {};
    const upstream = world.sandbox.orders.byRequest(request_id);
    assert.ok(upstream);
    world.sandbox.orders.setStatus(upstream, 20);
    await until(async () => {
      const answer = await world.ask('/v1/query', { intent_id }, { ...bearer, ...traced });
      return answer.body.order?.outcome === 'succeeded';
    }, 'the payment');
    await world.relay.tick();
    await until(() => world.events.length === 2, 'both events');
    assert.deepEqual(world.events, [
      ['order.created', null],
      ['order.succeeded', traceparent],
    ]);
    assert.deepEqual(world.sent.at(-1), ['query', traceparent]);
  });

  it('goes with what another process sees later of the pay', async () => {
    const clock = manualClock();
    const ledger = memoryLedger();
    const placed = tracedWorld({ clock, ledger });
    const { order } = (await placed.ask('/v1/pay', payByCard(), traced)).body;
    await placed.relay.close();
    const upstream = placed.sandbox.orders.byRequest(order?.request_id ?? '');
    assert.ok(upstream);
    const world = tracedWorld({ clock, ledger, inner: placed.sandbox });
    placed.sandbox.orders.setStatus(upstream, 20);
    await until(async () => {
      await clock.advance(1000);
      await world.relay.tick();
      return world.events.length === 2;
    }, 'the event of the payment');
    assert.deepEqual(world.events.at(-1), ['order.succeeded', traceparent]);
    assert.deepEqual(world.sent.at(-1), ['query', traceparent]);
    const lines = tracesOf(world);
    assert.ok(lines.some(([event]) => event === 'order'));
    assert.ok(lines.every(([, traceId]) => traceId === TRACE_ID));
  });

  it('goes with the request for a deposit address', async () => {
    const world = tracedWorld();
    const body = { currency: 'XRP', customer_ref_id: 'c-1' };
    const { status } = await world.ask('/v1/deposit-address', body, traced);
    assert.equal(status, 200);
    assert.deepEqual(
      world.sent.map(([, header]) => header),
      [traceparent],
    );
  });

  it('is not taken from a header of another form', async () => {
    const world = tracedWorld();
    const wrong = { traceparent: `${traceparent}-anna@example.com` };
    await world.ask('/v1/pay', payByCard(), wrong);
    assert.deepEqual(world.sent, [['pay', null]]);
    assert.deepEqual(tracesOf(world), [['request', undefined]]);
  });

  for (const path of ['/v1/pay', '/locales/de.json', '/wallets/qr.json'])
    it(`may be sent to ${path} by a page of another origin`, async () => {
      const { relay } = tracedWorld();
      const headers = { origin: ORIGIN, 'access-control-request-headers': 'traceparent' };
      const preflight = new Request(`${ORIGIN}${path}`, { method: 'OPTIONS', headers });
      const answer = await relay.fetch(preflight);
      assert.equal(answer.status, 204);
      const allowed = answer.headers.get('access-control-allow-headers');
      assert.deepEqual(allowed?.split(', '), ['content-type', 'traceparent', 'tracestate']);
    });
});
