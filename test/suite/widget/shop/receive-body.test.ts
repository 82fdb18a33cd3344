/** How much of a body the shop's process reads, and what of its headers it accepts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signMessage } from '../../../../relay/webhooks/sign.js';
import {
  closeIntent,
  fetchOrder,
  receiveEvents,
  reconcile,
  verifyEvent,
  type EventStore,
  type HandleEvent,
} from '../../../../widget/shop/index.js';
import { event, SECRET, silently } from './databases.js';

const CHUNK_BYTES = 65_536;

/** A body that sends `chunks` pieces, and counts those that were read. */
function countedBody(chunks: number): { body: ReadableStream<Uint8Array>; read: () => number } {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (sent++ < chunks) controller.enqueue(new Uint8Array(CHUNK_BYTES));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => sent };
}

function receiver(
  handle: HandleEvent<null> = () => {},
  { lastSequence = 1, ...options }: { lastSequence?: number; livemode?: boolean } = {},
) {
  const store = {
    transaction: <T>(run: (tx: null) => Promise<T>): Promise<T> => run(null),
    add: async () => true,
    lastSequence: async () => lastSequence,
  };
  return receiveEvents({ secrets: SECRET, store, handle, ...options });
}

async function post(headers: Record<string, string>, chunks: number): Promise<[number, number]> {
  const { body, read } = countedBody(chunks);
  const init = { method: 'POST', headers, body, duplex: 'half' };
  const request = new Request('https://shop.example/hooks', init);
  const { status } = await silently(() => receiver()(request));
  return [status, read()];
}

describe('receiveEvents', () => {
  const signature = `v1,${'A'.repeat(43)}=`;
  const forged = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': signature,
  };

  it('answers 401 from the headers, without the body, when they have no signature', async (t) => {
    t.mock.method(console, 'warn', () => {});
    for (const headers of [
      {},
      { ...forged, 'webhook-id': '' },
      { ...forged, 'webhook-timestamp': 'now' },
      { ...forged, 'webhook-signature': 'v1,short' },
    ])
      assert.deepEqual(await post(headers, 5000), [401, 0], JSON.stringify(headers));
  });

  it('handles no event of mode test where goods are delivered, and answers 200', async (t) => {
    const warn = t.mock.method(console, 'warn', () => {});
    const handled: string[] = [];
    const receive = receiver(({ id }) => handled.push(id), { livemode: true });
    const send = async (livemode: boolean): Promise<number> => {
      const { body, id } = event(`order-${livemode}`, 1);
      const told = JSON.parse(body) as { data: object };
      const text = JSON.stringify({ ...told, data: { ...told.data, livemode } });
      const at = Math.floor(Date.now() / 1000);
      const headers = await signMessage(SECRET, { id, at, body: text });
      return (await receive.parts(text, headers)).status;
    };
    assert.deepEqual([await send(false), await send(true)], [200, 200]);
    assert.deepEqual(handled, ['evt_order-true_1']);
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /evt_order-false_1 of mode test/);
  });

  it('handles an event when the transaction of a store does not read its own writes', async () => {
    const handled: string[] = [];
    const receive = receiver(({ id }) => handled.push(id), { lastSequence: 0 });
    const { body, id } = event('order-1', 1);
    const headers = await signMessage(SECRET, { id, at: Math.floor(Date.now() / 1000), body });
    assert.deepEqual(await receive.parts(body, headers), { status: 200 });
    assert.deepEqual(handled, [id]);
  });

  it('refuses a mode that is a text, which would equal no mode', async () => {
    const livemode = 'true' as unknown as boolean;
    const access = { relay: 'https://shop.example', secret_key: 'x' };
    const refused = { name: 'TypeError', message: /livemode must be true or false/ };
    assert.throws(() => receiver(() => {}, { livemode }), refused);
    await assert.rejects(fetchOrder(access, { intent_id: 'order-001' }, { livemode }), refused);
    const store = {} as EventStore<null>;
    const cursor = { load: () => Promise.resolve(null), save: () => Promise.resolve() };
    const reconciled = reconcile({ ...access, store, handle: () => {}, livemode, cursor });
    await assert.rejects(reconciled, refused);
  });

  it('says what to call when it gets the request of Express', async () => {
    const request = { method: 'POST', headers: { 'webhook-id': 'evt_1' }, body: {} };
    await assert.rejects(receiver()(request as unknown as Request), {
      name: 'TypeError',
      message: /express\.raw\(\).*receive\.parts\(request\.body, request\.headers\)/,
    });
  });

  it('answers 401 without a report to a request that has neither body nor signature', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const error = t.mock.method(console, 'error', () => {});
    assert.deepEqual(await receiver().parts({} as never, {}), { status: 401 });
    assert.equal(error.mock.callCount(), 0);
  });

  it('answers 413 without reading a body whose content-length is too long', async () => {
    const headers = { ...forged, 'content-length': '300000000' };
    assert.deepEqual(await post(headers, 5000), [413, 0]);
  });

  it('stops reading a body without a length when it is longer than any event', async () => {
    const [status, read] = await post(forged, 5000);
    assert.equal(status, 413);
    assert.ok(read <= 2, `${read} pieces were read`);
  });

  it('refuses other bytes of the same text, because the signature covers bytes', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const { body, id } = event('order-001', 1);
    const headers = await signMessage(SECRET, { id, at: Math.floor(Date.now() / 1000), body });
    const bytes = new TextEncoder().encode(body);
    assert.deepEqual(await receiver().parts(bytes, headers), { status: 200 });
    const withMark = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]);
    assert.deepEqual(await receiver().parts(withMark, headers), { status: 401 });
  });
});

describe('verifyEvent', () => {
  const { body, id } = event('order-001', 1);
  const at = Math.floor(Date.now() / 1000);

  it('reads every signature when the header was sent twice', async () => {
    const headers = await signMessage(SECRET, { id, at, body });
    const right = headers['webhook-signature'] ?? '';
    const wrong = `v1,${'A'.repeat(43)}=`;
    for (const signatures of [[wrong, right], `${wrong}, ${right}`, `${wrong} ${right}`])
      assert.equal(
        (await verifyEvent(body, { ...headers, 'webhook-signature': signatures }, SECRET)).id,
        id,
      );
  });

  it('rejects a tolerance that is not a number, and an unknown time', async () => {
    const old = { id, at: at - 86_400, body };
    const headers = await signMessage(SECRET, old);
    for (const tolerance_s of [NaN, -1])
      await assert.rejects(verifyEvent(body, headers, SECRET, { tolerance_s }), {
        name: 'TypeError',
      });
    await assert.rejects(verifyEvent(body, headers, SECRET, { now: NaN }), { code: 'too_old' });
  });
});

describe('the requests of a shop’s backend', () => {
  it('stop reading an answer that is longer than any answer of the relay', async () => {
    const { body, read } = countedBody(5000);
    const access = {
      relay: 'https://shop.example/pay',
      secret_key: 'x',
      fetch: async () => new Response(body),
    };
    await assert.rejects(closeIntent(access, { intent_id: 'order-001' }), { code: 'no_answer' });
    assert.ok(read() < 1000, `${read()} pieces were read`);
  });
});
