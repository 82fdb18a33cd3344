/** Webhook signals of the order service: when the relay asks the service, and when it must not. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrderRow } from '../../../relay/ledger/rows.js';
import {
  createSignalReceiver,
  type ReceiveSignal,
  type SignalDeps,
} from '../../../relay/webhooks/incoming-signal.js';
import { fresh } from '../orders/fresh-order.js';

type Receiver = {
  receive: ReceiveSignal;
  /** The request_ids that the service was asked about. */
  asked: string[];
  /** The `message` or `error` of each line of the log. */
  lines: unknown[];
  /** The label `known` of each signal counted. */
  counted: unknown[];
};

/** Knows one order, `shop.r1`, by one capability, `k.mac`. */
function receiver(order: OrderRow | null, change: Partial<SignalDeps> = {}): Receiver {
  const asked: string[] = [];
  const lines: unknown[] = [];
  const counted: unknown[] = [];
  const receive = createSignalReceiver({
    verify: async (requestId, mac) => requestId === 'shop.r1' && mac === 'k.mac',
    findOrder: async () => order,
    queryNow: async ({ request_id }) => void asked.push(request_id),
    closing: new AbortController().signal,
    log: (_level, _event, fields = {}) => void lines.push(fields.message ?? fields.error),
    metrics: { add: (_name, _by, labels) => void counted.push(labels?.known), observe: () => {} },
    ...change,
  });
  return { receive, asked, lines, counted };
}

const answered: OrderRow = { ...fresh, request_id: 'shop.r1', sending: 'answered' };

it('asks the service when a signal carries the capability of its order', async () => {
  const { asked, counted, lines, receive } = receiver(answered);
  await receive('shop.r1.k.mac');
  assert.deepEqual([asked, counted, lines], [['shop.r1'], ['true'], []]);
});

it('asks nothing when the capability is forged, of another order or malformed', async () => {
  const { asked, counted, receive } = receiver(answered);
  const forged = ['shop.r1.k.other', 'shop.r2.k.mac', 'shop.r1', 'k.mac', ''];
  for (const capability of forged) await receive(capability);
  assert.deepEqual(asked, []);
  assert.deepEqual(
    counted,
    forged.map(() => 'false'),
  );
});

it('asks nothing while the pay of the order is under way', async () => {
  const { asked, receive } = receiver({ ...answered, sending: 'claimed' });
  await receive('shop.r1.k.mac');
  assert.deepEqual(asked, []);
});

it('asks nothing when the relay stops', async () => {
  const { asked, receive } = receiver(answered, { closing: AbortSignal.abort() });
  await receive('shop.r1.k.mac');
  assert.deepEqual(asked, []);
});

it('logs an error when the ledger does not have an order that the relay placed', async () => {
  const { asked, lines, receive } = receiver(null);
  await receive('shop.r1.k.mac');
  assert.deepEqual(asked, []);
  assert.match(String(lines[0]), /does not have: was it restored\?/);
});

it('acknowledges a signal before the service has answered the query', async () => {
  const { receive } = receiver(answered, { queryNow: () => new Promise(() => {}) });
  await receive('shop.r1.k.mac');
});

it('logs a query that fails, and acknowledges its signal', async () => {
  const { lines, receive } = receiver(answered, {
    queryNow: () => Promise.reject(new Error('disk full')),
  });
  await receive('shop.r1.k.mac');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(lines, ['Error: disk full']);
});

it('counts a signal, and logs an error when its query fails or its order is missing', async () => {
  const seen: string[] = [];
  const { receive } = receiver(answered, {
    log: (level, event) => void seen.push(`${level} ${event}`),
    metrics: { add: (name) => void seen.push(name), observe: () => {} },
    queryNow: () => Promise.reject(new Error('no ledger')),
  });
  await receive('shop.r1.k.mac');
  await new Promise(setImmediate);
  assert.deepEqual(seen.splice(0), ['webhook_signals', 'error webhook']);
  const restored = receiver(null, { log: (level, event) => void seen.push(`${level} ${event}`) });
  await restored.receive('shop.r1.k.mac');
  assert.deepEqual(seen, ['error webhook']);
});
