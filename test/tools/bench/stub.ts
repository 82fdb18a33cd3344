/**
 * An order service and a shop's receiver in one process. They answer each call in a fixed way, so
 * that they use little CPU time; only /succeed changes the status of an order. Prints the address
 * that it listens on.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type RequestBody = { request_id?: string; currency?: string; amount?: string; notify_url?: string };

/** The statuses of an order before and after /succeed. */
const UNPAID_STATUS = 11;
const PAID_STATUS = 20;
const KEEP_ALIVE_MS = 60_000;

let receivedEvents = 0;
const notifyUrls = new Map<string, string>();
const succeeded = new Set<string>();

const answerTo = (path: string, body: RequestBody): object => {
  const { amount, currency, notify_url, request_id = '' } = body;
  if (path === '/events') receivedEvents++;
  if (path === '/count') return { events: receivedEvents };
  if (path.endsWith('/pay') && notify_url !== undefined) notifyUrls.set(request_id, notify_url);
  if (path === '/succeed') {
    succeeded.add(request_id);
    return { notify_url: notifyUrls.get(request_id) };
  }
  const status = succeeded.has(request_id) ? PAID_STATUS : UNPAID_STATUS;
  const order = { request_id, order_no: `no-${request_id}`, status };
  const placed = { ...order, currency, order_amount: amount, qrcode_string: 'https://pay.example' };
  return { code: 200, message: 'ok', data: path.endsWith('/pay') ? placed : order };
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as RequestBody;
    const answer = JSON.stringify(answerTo(request.url ?? '', body));
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(0, '127.0.0.1', () =>
  console.log(`stub on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
