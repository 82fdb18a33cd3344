/** The typed client against the sandbox: over fetch and over the pool, on real sockets. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { sandboxListener } from '../../../../relay/sandbox/serve.js';
import { createSandbox } from '../../../../relay/sandbox/sandbox.js';
import {
  createOrderService,
  fetchSend,
  OrderServiceError,
  type OrderService,
  type RequestOf,
  type Send,
} from '../../../../relay/order-service/index.js';
import { poolSend } from '../../../../relay/order-service/send/pool-send.js';
import type { SendOptions } from '../../../../relay/order-service/send/signing.js';

const sandbox = createSandbox({ publicUrl: 'http://localhost' });
let server: Server;
let base = '';
const services: Record<string, OrderService> = {};
let closePool = async (): Promise<void> => {};

before(async () => {
  server = createServer(sandboxListener(sandbox));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = poolSend({ baseUrl: base });
  closePool = pool.close;
  services.fetch = createOrderService({ send: fetchSend({ baseUrl: base }) });
  services.pool = createOrderService({ send: pool.send });
});
after(async () => {
  await closePool();
  server.closeAllConnections();
  server.close();
});

let next = 0;
const pay = (): RequestOf<'pay'> => ({
  request_id: `r${next++}`,
  payment_method: 'direct',
  payment_type: 'qrcode',
  payment_channel: 'sbp_qr',
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c1',
  customer: { email: 'a@b.example' },
});
const payout: RequestOf<'payout'> = {
  request_id: 'p1',
  payout_method: 'bank_transfer',
  account_no: '1',
  account_name: 'Ada Lovelace',
  country: 'GB',
  bank_code: 'B',
  settle_currency: 'GBP',
  amount: '5',
  currency: 'GBP',
  phone: '1',
  email: 'a@b.example',
};
const kindOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof OrderServiceError ? error.kind : String(error)),
  );

const overFetch = (options: SendOptions) => ({ send: fetchSend(options), close: async () => {} });

for (const name of ['fetch', 'pool'])
  describe(`client over ${name}`, () => {
    const service = (): OrderService => services[name] as OrderService;

    it(`performs all six operations over ${name}`, async () => {
      const order = await service().pay(pay());
      assert.equal(order.status, 11);
      assert.match(order.qrcode_string ?? '', /^https:/);
      assert.equal(
        (await service().queryOrder({ request_id: order.request_id ?? '' })).order_amount,
        '12.50',
      );
      const address = await service().depositAddress({ currency: 'XRP', customer_ref_id: 'c1' });
      assert.match(address.tag ?? '', /^\d+$/);
      assert.equal(
        (await service().depositAddress({ currency: 'BTC', customer_ref_id: 'c1' })).tag,
        '',
      );
      assert.deepEqual(await service().verifyDepositAddress(address), { belongs: true });
      const withdrawn = await service().withdraw({
        request_id: 'w',
        currency: 'XRP',
        address: 'r',
        tag: '0',
        amount: '1',
        customer_ref_id: 'c',
      });
      assert.equal(z.looseObject({}).parse(withdrawn).request_id, 'w');
      assert.equal(z.looseObject({}).parse(await service().payout(payout)).request_id, 'p1');
    });

    it(`reaches the service over ${name} by a URL with a path or a slash at its end`, async () => {
      const paths: (string | undefined)[] = [];
      const listener = createServer(({ url }, response) => {
        paths.push(url);
        response.end('{"code":200}');
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
      for (const baseUrl of [origin, `${origin}/`, `${origin}/partner`, `${origin}/partner/`]) {
        const { close, send } = name === 'pool' ? poolSend({ baseUrl }) : overFetch({ baseUrl });
        await createOrderService({ send }).query({ request_id: 'r1' });
        await close();
      }
      listener.closeAllConnections();
      listener.close();
      const [bare, partner] = ['/v1/order/query', '/partner/v1/order/query'];
      assert.deepEqual(paths, [bare, bare, partner, partner]);
    });

    it(`sends each header once over ${name}, whatever the case of its name`, async () => {
      const received: string[] = [];
      const listener = createServer(({ rawHeaders }, response) => {
        received.push(...rawHeaders);
        response.end('{"code":200}');
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      const options = {
        baseUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
        headers: { 'Content-Type': 'text/plain', 'X-Api-Key': 'first' },
      };
      const { close, send } = name === 'pool' ? poolSend(options) : overFetch(options);
      const sign = (): Record<string, string> => ({ 'x-api-key': 'second' });
      await createOrderService({ send, sign }).query({ request_id: 'r1' });
      await close();
      listener.closeAllConnections();
      listener.close();
      const valuesOf = (header: string): string[] =>
        received.filter((_, at) => received[at - 1]?.toLowerCase() === header);
      assert.deepEqual(valuesOf('content-type'), ['application/json']);
      assert.deepEqual(valuesOf('x-api-key'), ['second']);
    });

    for (const status of [421, 401])
      it(`sends a payout only once over ${name} when the answer is HTTP ${status}`, async () => {
        const received: [length: string | undefined, body: string][] = [];
        const listener = createServer((request, response) => {
          const { 'content-length': length } = request.headers;
          let body = '';
          request.on('data', (chunk: Buffer) => (body += chunk.toString()));
          request.on('end', () => {
            received.push([length, body]);
            response.writeHead(status).end('<h1>Refused</h1>');
          });
        });
        await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
        const baseUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
        const { close, send } = name === 'pool' ? poolSend({ baseUrl }) : overFetch({ baseUrl });
        const work = createOrderService({ send }).payout({
          ...payout,
          account_name: 'Zoë Lovelace',
        });
        assert.equal(await kindOf(work), 'unreadable');
        await close();
        listener.closeAllConnections();
        listener.close();
        const [[length, body = ''] = []] = received;
        assert.equal(received.length, 1);
        assert.match(body, /"account_name":"Zoë Lovelace"/);
        assert.equal(length, String(Buffer.byteLength(body)));
      });

    it(`sends the field customer as a JSON string over ${name}`, async () => {
      await service().pay(pay());
      const body = sandbox.calls.at(-1)?.body as { customer: unknown };
      assert.equal(body.customer, '{"email":"a@b.example"}');
    });

    for (const [fault, kind] of [
      ['cut_before', 'outcome_unknown'],
      ['cut_after', 'outcome_unknown'],
      ['cut_mid_body', 'outcome_unknown'],
      ['never_answers', 'outcome_unknown'],
      ['http_500_html', 'unreadable'],
      ['html_200', 'unreadable'],
      ['broken_json', 'unreadable'],
      ['missing_data', 'unreadable'],
      ['refusal', 'refused'],
      ['code_number', 'answered'],
      ['code_string', 'answered'],
    ] as const)
      it(`reports ${kind} over ${name} when the sandbox has the fault ${fault}`, async () => {
        sandbox.faults.add({ operation: 'pay', fault });
        const leave = fault === 'never_answers' ? AbortSignal.timeout(100) : undefined;
        assert.equal(await kindOf(service().pay(pay(), leave)), kind);
      });
  });

describe('client', () => {
  it('names the field and sends nothing when a field is wrong', async () => {
    const before = sandbox.calls.length;
    const wrong: [Promise<unknown>, string][] = [
      // @ts-expect-error: a direct pay needs its type
      [services.pool!.pay({ ...pay(), payment_type: undefined }), 'payment_type'],
      [services.pool!.pay({ ...pay(), amount: '1e3' }), 'amount'],
      [services.pool!.pay({ ...pay(), request_id: '' }), 'request_id'],
      // @ts-expect-error: a bank transfer needs its bank
      [services.pool!.payout({ ...payout, bank_code: undefined }), 'bank_code'],
      [
        // @ts-expect-error: a transfer to a wallet needs the type of its account
        services.pool!.payout({ ...payout, payout_method: 'wallet_transfer', wallet_code: 'w' }),
        'account_type',
      ],
      [services.pool!.payout({ ...payout, account_name: 'Ada' }), 'account_name'],
      [services.pool!.payout({ ...payout, remark: 'x'.repeat(41) }), 'remark'],
      [
        services.pool!.payout({ ...payout, bank_routing_code: 'x'.repeat(101) }),
        'bank_routing_code',
      ],
    ];
    for (const [work, field] of wrong)
      await assert.rejects(
        work,
        (error) =>
          error instanceof OrderServiceError &&
          error.kind === 'invalid_request' &&
          error.field === field,
      );
    assert.equal(sandbox.calls.length, before);
  });

  it('names no field and sends nothing when there is no request', async () => {
    const before = sandbox.calls.length;
    for (const request of [undefined, null, 'p1', []])
      for (const [name, operation] of Object.entries(services.pool!)) {
        const call = async (): Promise<unknown> => Reflect.apply(operation, null, [request]);
        const wrong = await call().catch((thrown: unknown) => thrown);
        assert.ok(wrong instanceof OrderServiceError, `${name}: ${String(wrong)}`);
        assert.deepEqual([wrong.kind, wrong.field], ['invalid_request', '']);
      }
    assert.equal(sandbox.calls.length, before);
  });

  it('refuses a time limit that no timer can wait', () => {
    const send: Send = () => new Promise(() => {});
    for (const timeoutMs of [Infinity, 2 ** 31, NaN, 0, -1])
      assert.throws(() => createOrderService({ send, timeoutMs }), RangeError);
    createOrderService({ send, timeoutMs: 2 ** 31 - 1 });
  });

  it('reports unreachable only when no connection was made', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const gone = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    const pool = poolSend({ baseUrl: gone });
    assert.equal(await kindOf(createOrderService({ send: pool.send }).pay(pay())), 'unreachable');
    assert.equal(
      await kindOf(createOrderService({ send: fetchSend({ baseUrl: gone }) }).pay(pay())),
      'unreachable',
    );
    await pool.close();
  });

  it('does not report a refusal when a gateway answers 5xx with an envelope', async () => {
    const send = async (): Promise<{ status: number; text: string }> => ({
      status: 502,
      text: '{"code":502,"message":"bad gateway"}',
    });
    assert.equal(await kindOf(createOrderService({ send }).pay(pay())), 'unreadable');
  });
});
