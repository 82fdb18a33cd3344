/** Connections that rest: a server may close them, and no request may be lost by it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import {
  createConnections,
  type EarlyEnd,
} from '../../../../relay/order-service/send/connections.js';
import { poolSend } from '../../../../relay/order-service/send/pool-send.js';

const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers) await close();
});

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** A server that answers each request, with the sockets that it has accepted. */
async function service(answer: (socket: Socket) => void = (socket) => socket.write(ANSWER)) {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return { sockets, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Connections whose clock the test sets; undici's own clock closes none of them meanwhile. */
async function resting(idleMs: number, answer?: (socket: Socket) => void) {
  const { origin, sockets } = await service(answer);
  const ends: EarlyEnd[] = [];
  const clock = { ms: 0 };
  let heard = (): void => {};
  const connections = createConnections({
    origin,
    idleMs,
    now: () => clock.ms,
    onEarlyEnd: (end) => {
      ends.push(end);
      heard();
    },
  });
  closers.push(connections.close);
  const ask = () =>
    connections.request({ path: '/', method: 'POST', body: '{}' }, AbortSignal.timeout(5000));
  const nextEnd = (): Promise<void> => new Promise((resolve) => (heard = resolve));
  return { ask, clock, connections, ends, nextEnd, sockets };
}

const WAYS_TO_END: Record<string, (socket: Socket | undefined) => unknown> = {
  FIN: (socket) => socket?.end(),
  RST: (socket) => socket?.resetAndDestroy(),
};

describe('a connection that rests', () => {
  it('is used again while its rest is short, and not at the limit', async () => {
    const { ask, clock, sockets } = await resting(500);
    await ask();
    clock.ms = 499;
    await ask();
    assert.equal(sockets.length, 1);
    clock.ms = 999;
    await ask();
    assert.equal(sockets.length, 2);
  });

  it('teaches nothing of the server when it is dropped after its rest', async () => {
    const { ask, clock, ends, sockets } = await resting(500);
    await ask();
    clock.ms = 600;
    await ask();
    while (sockets[0]?.destroyed === false) await new Promise(setImmediate);
    clock.ms += 499;
    await ask();
    assert.deepEqual([ends, sockets.length], [[], 2]);
  });

  it('is the one whose answer is the youngest, when several rest', async () => {
    const held: Socket[] = [];
    const { ask, clock, sockets } = await resting(500, (socket) => held.push(socket));
    const release = (): unknown => held.pop()?.write(ANSWER);
    const both = [ask(), ask()];
    while (held.length < 2) await new Promise(setImmediate);
    release();
    await Promise.race(both);
    clock.ms = 400;
    release();
    await Promise.all(both);
    clock.ms = 600;
    const third = ask();
    while (held.length < 1) await new Promise(setImmediate);
    release();
    await third;
    assert.equal(sockets.length, 2);
  });

  for (const [way, end] of Object.entries(WAYS_TO_END))
    it(`rests for half of the time after which the server ended one by ${way}`, async () => {
      const { ask, clock, ends, nextEnd, sockets } = await resting(500);
      await ask();
      clock.ms = 300;
      const ended = nextEnd();
      end(sockets[0]);
      await ended;
      assert.deepEqual(ends, [{ lost: false, shortenedToMs: 125 }]);
      await ask();
      clock.ms += 124;
      await ask();
      assert.equal(sockets.length, 2);
      clock.ms += 125;
      await ask();
      assert.equal(sockets.length, 3);
      clock.ms += 3_600_001;
      await ask();
      clock.ms += 499;
      await ask();
      assert.equal(sockets.length, 4, 'the configured time counts again after an hour');
    });

  it('counts a request as lost that the server’s end has met, and learns from it', async () => {
    let requests = 0;
    const { ask, clock, ends } = await resting(500, (socket) =>
      requests++ === 0 ? socket.write(ANSWER) : socket.destroy(),
    );
    await ask();
    clock.ms = 400;
    await assert.rejects(ask());
    assert.deepEqual(ends, [{ lost: true, shortenedToMs: 125 }]);
  });

  it('learns nothing from an end on a new connection, or from a caller that left', async () => {
    const { ask, ends } = await resting(500, (socket) => socket.destroy());
    await assert.rejects(ask());
    assert.deepEqual(ends, []);
    const silent = await resting(500, () => {});
    const leaving = new AbortController();
    const asked = silent.connections.request(
      { path: '/', method: 'POST', body: '{}' },
      leaving.signal,
    );
    leaving.abort(new Error('left'));
    await assert.rejects(asked, /left/);
    assert.deepEqual(silent.ends, []);
  });

  it('is never used again when the limit is 0', async () => {
    const { ask, sockets } = await resting(0);
    await ask();
    await ask();
    assert.equal(sockets.length, 2);
  });
});

describe('a pay on a kept connection that the service cuts', () => {
  it('has an unknown outcome, and never counts as unsent', async () => {
    let requests = 0;
    const { origin } = await service((socket) =>
      requests++ === 0 ? socket.write(ANSWER) : socket.destroy(),
    );
    const { close, send } = poolSend({ baseUrl: origin });
    closers.push(close);
    const { signal } = new AbortController();
    assert.equal((await send('/v1/order/pay', '{}', signal)).status, 200);
    await assert.rejects(
      send('/v1/order/pay', '{}', signal),
      (error) => error instanceof OrderServiceError && error.kind === 'outcome_unknown',
    );
    assert.equal(requests, 2);
  });
});

describe('an informational answer', () => {
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n';
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  for (const [name, parts] of Object.entries({
    'an unasked 100': [CONTINUE, ANSWER],
    'a 100 with a header': ['HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\n', ANSWER],
    'several, in one piece with the answer': [CONTINUE + CONTINUE + ANSWER],
    'a 100 in single bytes': [...CONTINUE, ...ANSWER],
    'a 103': [HINTS, ANSWER],
    'a 102, a 100 and a 103': [`HTTP/1.1 102 Processing\r\n\r\n${CONTINUE}${HINTS}`, ANSWER],
  }))
    it(`does not hide the answer behind ${name}`, async () => {
      const { ask, ends, sockets } = await resting(500, (socket) => {
        const sendFrom = (at: number): void => {
          const part = parts[at];
          if (part !== undefined) socket.write(part, () => setImmediate(sendFrom, at + 1));
        };
        socket.setNoDelay(true);
        sendFrom(0);
      });
      for (const count of [1, 2, 3])
        assert.deepEqual(await ask(), { status: 200, text: '{}' }, `request ${count}`);
      assert.deepEqual([sockets.length, ends], [1, []]);
    });

  it('leaves a body alone that looks like one', async () => {
    const body = CONTINUE.repeat(3);
    const { ask } = await resting(500, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`, () =>
        setImmediate(() => socket.write(body)),
      );
    });
    assert.equal((await ask()).text, body);
  });

  it('ends the request when its head is too long', async () => {
    const { ask } = await resting(500, (socket) => {
      socket.write(`HTTP/1.1 100 Continue\r\nx-a: ${'x'.repeat(20_000)}`);
    });
    await assert.rejects(ask(), /Header/);
  });

  it('never stands for the answer when it changes the protocol', async () => {
    const { ask } = await resting(500, (socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n${ANSWER}`);
    });
    await assert.rejects(ask());
  });
});
