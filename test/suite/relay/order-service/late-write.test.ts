/** Nothing of a pay is written when its claim ended while the connection was opened. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createOrderService } from '../../../../relay/order-service/client.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { poolSend } from '../../../../relay/order-service/send/pool-send.js';

const answer = '{"code":200,"message":"ok","data":{"status":11}}';
let received = '';
const server = createServer((socket) => {
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`);
  });
  socket.on('error', () => {});
});
let pool: ReturnType<typeof poolSend>;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pool = poolSend({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
after(async () => {
  await pool.close();
  server.close();
});

const pay = async (isLate: boolean): Promise<{ status: number | undefined }> => {
  const { send } = await createOrderService({ send: pool.send }).preparePay({
    request_id: 'r1',
    payment_method: 'on_line',
    amount: '1',
    currency: 'USD',
    product_name: 'x',
    customer_ref_id: 'c',
  });
  return send(() => isLate);
};

describe('a request whose claim has ended', () => {
  it('writes no request when its claim has ended, and reports the request as unsent', async () => {
    const isUnsent = (error: unknown): boolean =>
      error instanceof OrderServiceError && error.kind === 'unreachable' && error.isOwn;
    await assert.rejects(pay(true), isUnsent);
    assert.equal(received, '');
    assert.equal((await pay(false)).status, 11);
    const written = received;
    assert.match(written, /POST \/v1\/order\/pay/);
    await assert.rejects(pay(true), isUnsent);
    assert.equal(received, written);
    assert.equal((await pay(false)).status, 11);
  });
});
