/** A request without an answer was either certainly not sent, or its outcome is unknown. */
import assert from 'node:assert/strict';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { after, describe, it } from 'node:test';
import {
  createOrderService,
  fetchSend,
  OrderServiceError,
  type Send,
} from '../../../../relay/order-service/index.js';
import { createCircuitBreaker } from '../../../../relay/order-service/circuit-breaker.js';
import { poolSend } from '../../../../relay/order-service/send/pool-send.js';
import { neverConnected, type Sign } from '../../../../relay/order-service/send/signing.js';
import { systemClock } from '../../../../relay/runtime.js';
import { selfSigned } from './self-signed.js';

const PAY = {
  request_id: 'r1',
  payment_method: 'on_line',
  amount: '1',
  currency: 'USD',
  product_name: 'x',
  customer_ref_id: 'c',
} as const;

const refusal = { code: 'ECONNREFUSED', syscall: 'connect' };

const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers) await close();
});
const listening = async (server: Server): Promise<string> => {
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
/** @returns an address at which nobody listens */
const refusing = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
};
const pool = (baseUrl: string): Send => {
  const { close, send } = poolSend({ baseUrl });
  closers.push(close);
  return send;
};
const failure = async (
  send: Send,
  {
    sign,
    signal,
    timeoutMs = 5000,
  }: { sign?: Sign; signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<OrderServiceError> => {
  const error: unknown = await createOrderService({ send, sign, timeoutMs })
    .query({ request_id: 'r1' }, signal)
    .then(() => null)
    .catch((thrown: unknown) => thrown);
  assert.ok(error instanceof OrderServiceError, String(error));
  return error;
};

describe('a request that was not sent', () => {
  for (const [name, send] of [
    ['pool', pool],
    ['fetch', (baseUrl: string) => fetchSend({ baseUrl })],
  ] as const) {
    it(`reports an untrusted certificate as unreachable, with its code, over ${name}`, async () => {
      const server = createSecureServer(selfSigned('service.example'), (_request, response) =>
        // never reached: the handshake fails
        response.end(),
      );
      const { causeCode, kind } = await failure(send(`https://${await listening(server)}`));
      assert.deepEqual([kind, causeCode], ['unreachable', 'DEPTH_ZERO_SELF_SIGNED_CERT']);
    });

    it(`reports unreachable over ${name} when the connection is refused`, async () => {
      const { causeCode, kind } = await failure(send(`http://${await refusing()}`));
      assert.deepEqual([kind, causeCode], ['unreachable', 'ECONNREFUSED']);
    });

    it(`reports unreachable over ${name} when the name of the service is unknown`, async () => {
      const { causeCode, kind } = await failure(send('https://order-service.invalid'));
      assert.equal(kind, 'unreachable');
      assert.match(causeCode ?? '', /^(ENOTFOUND|EAI_AGAIN)$/);
    });
  }

  it('reports unreachable over pool when the connection ends in the TLS handshake', async () => {
    const cut = await listening(createServer((socket) => socket.destroy()));
    assert.equal((await failure(pool(`https://${cut}`))).kind, 'unreachable');
    const plain = await listening(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      }),
    );
    const { causeCode, kind } = await failure(pool(`https://${plain}`));
    assert.equal(kind, 'unreachable');
    assert.match(causeCode ?? '', /^(EPROTO|ERR_SSL_\w+)$/);
  });

  it('reports unreachable over pool when the deadline passes in the TLS handshake', async () => {
    const silent = await listening(createServer((socket) => socket.on('error', () => {})));
    const { causeCode, kind } = await failure(pool(`https://${silent}`), { timeoutMs: 200 });
    assert.deepEqual([kind, causeCode], ['unreachable', 'TimeoutError']);
  });

  it('reports unreachable over pool when the caller leaves in the TLS handshake', async () => {
    const leaving = new AbortController();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => leaving.abort());
    });
    const send = pool(`https://${await listening(server)}`);
    const { causeCode, kind } = await failure(send, { signal: leaving.signal });
    assert.deepEqual([kind, causeCode], ['unreachable', 'AbortError']);
  });

  it('reports unreachable, and sends nothing, when a request cannot be signed', async () => {
    let requests = 0;
    const send: Send = () => {
      requests++;
      return Promise.reject(new Error('sent'));
    };
    const sign = (): never => {
      throw new Error('no key');
    };
    const { isOwn, kind } = await failure(send, { sign });
    assert.deepEqual([isOwn, kind, requests], [true, 'unreachable', 0]);
  });

  // a test would otherwise wait for ever
  const inTime = { timeout: 5000 };

  for (const [when, limits] of [
    ['the deadline passes', { timeoutMs: 20 }],
    ['the caller leaves', { signal: AbortSignal.abort() }],
  ] as const)
    it(
      `reports unreachable, and sends nothing, when ${when} before a signature`,
      inTime,
      async () => {
        const send: Send = () => Promise.reject(new Error('sent'));
        const sign: Sign = () => new Promise(() => {});
        const { isOwn, kind, message } = await failure(send, { ...limits, sign });
        const late = 'the request could not be signed in time';
        assert.deepEqual([isOwn, kind, message], [true, 'unreachable', late]);
      },
    );

  it('sends nothing when the caller has left before the call', async () => {
    let requests = 0;
    const send: Send = async () => ({ status: 200, text: String(requests++) });
    const { isOwn, kind } = await failure(send, { signal: AbortSignal.abort() });
    assert.deepEqual([isOwn, kind, requests], [true, 'unreachable', 0]);
  });

  it('gives the connection of a pay free when its signature does not come', inTime, async () => {
    const service = createOrderService({
      send: () => Promise.reject(new Error('sent')),
      sign: ({ json }) => (json.includes('"r1"') ? new Promise(() => {}) : {}),
      timeoutMs: 20,
    });
    const breaker = createCircuitBreaker(service, { clock: systemClock, maxConcurrent: 1 });
    await assert.rejects(breaker.service.preparePay(PAY), /could not be signed in time/);
    const { drop } = await breaker.service.preparePay({ ...PAY, request_id: 'r2' });
    drop();
  });
});

describe('a request that may have been sent', () => {
  it('reports an unknown outcome when the connection ends after the request', async () => {
    const cut = await listening(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.destroy());
      }),
    );
    assert.equal((await failure(pool(`http://${cut}`))).kind, 'outcome_unknown');
    const { kind } = await failure(fetchSend({ baseUrl: `http://${cut}` }));
    assert.equal(kind, 'outcome_unknown');
  });

  for (const [name, sendTo] of [
    ['pool', pool],
    ['fetch', (baseUrl: string) => fetchSend({ baseUrl })],
  ] as const) {
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'ETIMEDOUT'])
      it(`reports an unknown outcome over ${name} when a read ends with ${code}`, async (t) => {
        const opened: Socket[] = [];
        const open = Socket.prototype.connect;
        t.mock.method(
          Socket.prototype,
          'connect',
          function (this: Socket, ...given: Parameters<typeof open>) {
            opened.push(this);
            return open.apply(this, given);
          },
        );
        const lost = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
        const server = createServer((socket) => {
          socket.on('error', () => {});
          // other tests of this process open sockets at the same time
          const isClient = ({ localPort }: Socket): boolean => localPort === socket.remotePort;
          socket.once('data', () => opened.find(isClient)?.destroy(lost));
        });
        const { causeCode, kind } = await failure(sendTo(`http://${await listening(server)}`));
        assert.deepEqual([kind, causeCode], ['outcome_unknown', code]);
      });

    it(`reports an unknown outcome over ${name} when no answer comes in time`, async () => {
      let received = '';
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      });
      const send = sendTo(`http://${await listening(server)}`);
      const { causeCode, kind } = await failure(send, { timeoutMs: 200 });
      assert.deepEqual([kind, causeCode], ['outcome_unknown', 'TimeoutError']);
      assert.match(received, /^POST \/v1\/order\/query/);
    });

    it(`reports an unknown outcome over ${name} for whatever reason a caller leaves`, async () => {
      const leaving = new AbortController();
      const unsent = Object.assign(new Error('another call'), refusal);
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => leaving.abort(unsent));
      });
      const send = sendTo(`http://${await listening(server)}`);
      assert.equal((await failure(send, { signal: leaving.signal })).kind, 'outcome_unknown');
    });
  }

  it('reports the cause TimeoutError when the deadline passes', async () => {
    const send: Send = () => new Promise(() => {});
    const error: unknown = await createOrderService({ send, timeoutMs: 20 })
      .query({ request_id: 'r1' })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof OrderServiceError);
    assert.deepEqual([error.kind, error.causeCode], ['outcome_unknown', 'TimeoutError']);
  });
});

describe('a header that HTTP refuses', () => {
  for (const [what, header] of Object.entries<Record<string, string>>({
    'a line break': { 'x-signature': 'one\ntwo' },
    'a letter beyond Latin-1': { 'x-signature': 'подпись' },
    'a name of the connection': { 'Transfer-Encoding': 'chunked' },
  }))
    it(`reports unreachable before the order is claimed when sign gives ${what}`, async () => {
      let claims = 0;
      const send: Send = () => Promise.reject(new Error('sent'));
      const service = createOrderService({ send, sign: () => header });
      const error: unknown = await service.preparePay(PAY).then(
        () => claims++,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof OrderServiceError);
      assert.deepEqual([error.kind, claims], ['unreachable', 0]);
    });

  it('reports unreachable when the pool cannot build the request', async () => {
    const { close, send } = poolSend({ baseUrl: 'http://127.0.0.1:9', headers: { expect: '1' } });
    closers.push(close);
    assert.equal((await failure(send)).kind, 'unreachable');
  });
});

describe('a request that cannot be built', () => {
  const noKey = (): never => {
    throw new Error('no key');
  };
  for (const [what, make] of Object.entries<() => Send>({
    'a header beyond Latin-1': () =>
      fetchSend({ baseUrl: 'http://127.0.0.1:9', headers: { 'x-api-key': 'ключ' } }),
    'a URL without a scheme': () => fetchSend({ baseUrl: 'service.example/partner' }),
    'a URL whose host reads as a scheme': () => fetchSend({ baseUrl: 'localhost:9' }),
    'a URL with a password': () => fetchSend({ baseUrl: 'http://user:pass@127.0.0.1:9' }),
    'no headers for fetch': () => fetchSend({ baseUrl: 'http://127.0.0.1:9', headers: noKey }),
    'no headers for the pool': () => {
      const { close, send } = poolSend({ baseUrl: 'http://127.0.0.1:9', headers: noKey });
      closers.push(close);
      return send;
    },
  }))
    it(`reports unreachable, and says so itself, with ${what}`, async () => {
      const { isOwn, kind, message } = await failure(make());
      const unbuilt = 'the request could not be built';
      assert.deepEqual([isOwn, kind, message], [true, 'unreachable', unbuilt]);
    });
});

describe('neverConnected', () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'EPROTO', 'ERR_SSL_BAD_RECORD', 'UND_ERR_SOCKET'])
    it(`neverConnected is false after ${code}, which also occurs on an open connection`, () =>
      assert.equal(neverConnected(Object.assign(new Error('x'), { code })), false));

  it('neverConnected is true after several attempts only when none of them connected', () => {
    const refused = Object.assign(new Error('x'), refusal);
    assert.equal(neverConnected(new AggregateError([refused, refused])), true);
    assert.equal(neverConnected(new AggregateError([refused, new Error('x')])), false);
  });

  it('neverConnected is true when both addresses of a name refuse the connection', async () => {
    const port = Number((await refusing()).split(':')[1]);
    const socket = connect({
      host: 'service.example',
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, found) =>
        found(null, [
          { address: '::1', family: 6 },
          { address: '127.0.0.1', family: 4 },
        ]),
    });
    const error = await new Promise((resolve) => socket.once('error', resolve));
    assert.ok(error instanceof AggregateError);
    assert.equal(neverConnected(new TypeError('fetch failed', { cause: error })), true);
  });

  for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EAI_FAIL'])
    it(`neverConnected is true after ${code}, which occurs only before a connection exists`, () =>
      assert.equal(neverConnected(Object.assign(new Error('x'), { code })), true));
});
