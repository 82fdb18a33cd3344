/** Webhook signals of the order service: when the relay queries the service, and when not. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import {
  createSignalReceiver,
  type ReceiveSignal,
  type SignalDeps,
} from '../../../../relay/webhooks/incoming-signal.js';
import { asNew } from '../../../../relay/ledger/rules.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

type Receiver = {
  receive: ReceiveSignal;
  /** The request_ids of the queries. */
  queried: string[];
  /** The request_ids of the orders that are followed again. */
  followed: string[];
  /** The request_ids of the signals that are counted. */
  noted: string[];
  /** The `message` or `error` of each line of the log. */
  lines: unknown[];
  /** The label `known` of each signal counted. */
  counted: unknown[];
};

/** A receiver that knows one order, `shop.r1`, with the capability `k.mac`. */
function receiver(order: OrderRow | null, change: Partial<SignalDeps> = {}): Receiver {
  const queried: string[] = [];
  const followed: string[] = [];
  const noted: string[] = [];
  const lines: unknown[] = [];
  const counted: unknown[] = [];
  const receive = createSignalReceiver({
    capabilities: { verify: async (_, id, mac) => id === 'shop.r1' && mac === 'k.mac' },
    ledger: { find: async () => order && { intent: asNew(freshIntent), order } },
    ledgerClock: { now: () => 7 },
    signalCounts: {
      add: (requestId, signals) => {
        assert.deepEqual(signals, { first: 7, last: 7, count: 1 });
        noted.push(requestId);
      },
    },
    apply: async ({ request_id }, event) => {
      assert.deepEqual(event, { type: 'signalled', at: 7 });
      followed.push(request_id);
    },
    queryNow: async ({ request_id }) => void queried.push(request_id),
    closing: new AbortController().signal,
    log: (_level, _event, fields = {}) => void lines.push(fields.message ?? fields.error),
    metrics: { add: (_name, _by, labels) => void counted.push(labels?.known), observe: () => {} },
    ...change,
  });
  return { receive, queried, followed, noted, lines, counted };
}

const answered: OrderRow = { ...fresh, request_id: 'shop.r1', sending: 'answered' };

it('queries an order when a signal carries the capability of the order', async () => {
  const { queried, counted, lines, receive } = receiver(answered);
  await receive('shop.r1.k.mac');
  assert.deepEqual([queried, counted, lines], [['shop.r1'], ['true'], []]);
});

const unfollowed: OrderRow = { ...answered, next_check_at: null };

it('follows an order again that is not followed any more, also when the relay stops', async () => {
  for (const closing of [new AbortController().signal, AbortSignal.abort()]) {
    const { followed, receive } = receiver(unfollowed, { closing });
    await receive('shop.r1.k.mac');
    assert.deepEqual(followed, ['shop.r1']);
  }
});

it('writes nothing for an order that is followed', async () => {
  const { followed, queried, receive } = receiver(answered);
  await receive('shop.r1.k.mac');
  assert.deepEqual([followed, queried], [[], ['shop.r1']]);
});

it('writes down a signal of a paid order: a query that fails must not lose it', async () => {
  const { followed, queried, receive } = receiver({ ...unfollowed, outcome: 'succeeded' });
  await receive('shop.r1.k.mac');
  assert.deepEqual([followed, queried], [['shop.r1'], ['shop.r1']]);
});

it('rejects a signal that it cannot write down, so that the service repeats it', async () => {
  const { queried, receive } = receiver(unfollowed, {
    apply: () => Promise.reject(new Error('disk full')),
  });
  await assert.rejects(receive('shop.r1.k.mac'), /disk full/);
  assert.deepEqual(queried, []);
});

it('queries nothing when the capability is forged, of another order or malformed', async () => {
  const { queried, counted, receive } = receiver(answered);
  const forged = ['shop.r1.k.other', 'shop.r2.k.mac', 'shop.r1', 'k.mac', ''];
  for (const capability of forged) await receive(capability);
  assert.deepEqual(queried, []);
  assert.deepEqual(
    counted,
    forged.map(() => 'false'),
  );
});

it('queries nothing while the pay of the order is under way', async () => {
  const { queried, receive } = receiver({ ...answered, sending: 'claimed', next_check_at: 8 });
  await receive('shop.r1.k.mac');
  assert.deepEqual(queried, []);
});

it('queries an order whose claim has ended: its relay may have been killed', async () => {
  const { queried, receive } = receiver({ ...answered, sending: 'claimed', next_check_at: 7 });
  await receive('shop.r1.k.mac');
  assert.deepEqual(queried, ['shop.r1']);
});

it('queries nothing when the relay stops', async () => {
  const { queried, receive } = receiver(answered, { closing: AbortSignal.abort() });
  await receive('shop.r1.k.mac');
  assert.deepEqual(queried, []);
});

it('logs an error when the ledger does not have an order that the relay placed', async () => {
  const { queried, lines, receive } = receiver(null);
  await receive('shop.r1.k.mac');
  assert.deepEqual(queried, []);
  const cause = /a restore lost it, or it was deleted after limits\.retention_days/;
  assert.match(String(lines[0]), cause);
});

it('notes a signal that causes no query, and none that is forged or of no order', async () => {
  const { noted, receive } = receiver({ ...answered, sending: 'claimed' });
  await receive('shop.r1.k.mac');
  await receive('shop.r1.k.other');
  assert.deepEqual(noted, ['shop.r1']);
  const restored = receiver(null);
  await restored.receive('shop.r1.k.mac');
  assert.deepEqual(restored.noted, []);
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
