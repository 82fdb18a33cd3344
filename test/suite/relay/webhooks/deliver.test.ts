/** Deliveries of events to the shop's backend: when each is tried, tried again, and given up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NewShopEvent, ShopEventRow } from '../../../../relay/ledger/rows.js';
import { createDelivery, LONGEST_RETRY_WAITS_MS } from '../../../../relay/webhooks/deliver.js';
import { settle } from '../../support/manual-clock.js';
import { until } from '../../support/wait.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { createParts, type Parts } from '../orders/parts.js';
import { readAnswers } from '../../../../relay/ledger/shop-answers.js';
import { askedAt, claimOrder, replaceOrder } from '../../support/ledger-calls.js';

type Sent = { url: string; init: RequestInit };
type Receiver = Parts &
  ReturnType<typeof createDelivery> & { sent: Sent[]; closing: AbortController };
const SHOP_EVENTS = {
  shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
};

async function receiver(
  answer: () => Promise<Response>,
  config: Parameters<typeof createParts>[0] = SHOP_EVENTS,
): Promise<Receiver> {
  const parts = await createParts(config);
  const sent: Sent[] = [];
  const closing = new AbortController();
  const delivery = createDelivery({
    ...parts.context,
    fetch: (url, init) => {
      sent.push({ url, init });
      return answer();
    },
    closing: closing.signal,
  });
  return { ...parts, ...delivery, sent, closing };
}
const accept = async (): Promise<Response> => new Response();
const refuse = async (): Promise<Response> => new Response('', { status: 500 });

/** Writes events that are due at once. */
async function write({ clock, context }: Parts, count = 1): Promise<void> {
  const { ledger } = context;
  await claimOrder(ledger, { intent: freshIntent, order: fresh, after: null });
  const events = Array.from({ length: count }, (_, index): NewShopEvent => ({
    event_id: `evt_${index + 1}`,
    intent_id: 'i1',
    sequence: index + 1,
    type: 'order.created',
    body: `{"n":${index + 1}}`,
    created_at: clock.now(),
    next_try_at: clock.now(),
    traceparent: null,
  }));
  await replaceOrder(ledger, { ...fresh, version: 2 }, () => events);
}
/** Waits until `count` requests were sent; each is signed first, which takes real time. */
const untilSent = (shop: Receiver, count: number): Promise<void> =>
  until(() => shop.sent.length === count, `${count} requests`);
const row = async ({ context }: Parts): Promise<ShopEventRow | undefined> =>
  (await context.ledger.listEvents(null, 1)).rows[0];

describe('a relay that cannot reach the shop', () => {
  it('leaves due events to the other relays for 2 s, so that they keep their tries', async () => {
    const parts = await createParts(SHOP_EVENTS);
    const { clock, context } = parts;
    const sent: string[] = [];
    const start = (name: string, fetch: () => Promise<Response>) =>
      createDelivery({
        ...context,
        fetch: () => {
          sent.push(name);
          return fetch();
        },
        hasOthers: () => true,
        closing: new AbortController().signal,
      });
    const cutOff = start('cut off', () => Promise.reject(new Error('no route')));
    const other = start('other', accept);
    await write(parts);
    await cutOff.deliver();
    await clock.advance(5000);
    await cutOff.deliver();
    assert.deepEqual(sent, ['cut off'], 'it leaves the event to the other');
    await clock.advance(2000);
    await cutOff.deliver();
    assert.deepEqual(sent, ['cut off', 'cut off'], 'the other did not take it');
    await clock.advance(300_000);
    await cutOff.deliver();
    await other.deliver();
    assert.deepEqual(sent, ['cut off', 'cut off', 'other']);
  });
});

describe('a delivery', () => {
  it('begins no further delivery when the relay stops or takes another configuration', async () => {
    const shop = await receiver(async () => {
      shop.closing.abort();
      return new Response();
    });
    await write(shop, 30);
    await shop.deliver();
    assert.equal(shop.sent.length, 20);
  });

  it('sends the event’s own bytes, signed, and follows no redirect', async () => {
    const shop = await receiver(accept);
    await write(shop);
    await shop.deliver();
    const { init, url } = shop.sent[0]!;
    assert.deepEqual(
      [url, init.method, init.body, init.redirect],
      ['https://shop.example/hooks', 'POST', '{"n":1}', 'manual'],
    );
    const headers = new Headers(init.headers);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.deepEqual(
      [headers.get('webhook-id'), headers.get('webhook-timestamp')],
      ['evt_1', '1800000000'],
    );
    assert.match(headers.get('webhook-signature') ?? '', /^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('records and counts a delivery, and does not repeat it when the shop accepts', async () => {
    const shop = await receiver(accept);
    await write(shop);
    await shop.deliver();
    await shop.idle();
    const event = await row(shop);
    assert.deepEqual([event?.delivered_at, event?.next_try_at], [shop.clock.now(), null]);
    assert.deepEqual(shop.counted, [['shop_events', 1, { result: 'delivered' }]]);
    await shop.clock.advance(3 * 86_400_000);
    await shop.deliver();
    assert.equal(shop.sent.length, 1);
  });

  it('keeps what the shop answered to each try, also after somebody asks again', async () => {
    const answers = [500, 204, 410];
    const shop = await receiver(async () => new Response(null, { status: answers.shift()! }));
    await write(shop);
    const began = shop.clock.now();
    await shop.deliver();
    await shop.clock.advance(60_000);
    await shop.deliver();
    await shop.idle();
    await shop.context.ledger.resend(['evt_1'], shop.clock.now(), askedAt(shop.clock.now()));
    await shop.deliver();
    await shop.idle();
    assert.deepEqual(
      readAnswers((await row(shop))?.answers ?? '').map(({ at, ...told }) => [at - began, told]),
      [
        [0, { answer: 'HTTP 500', delivered: false }],
        [60_000, { answer: 'HTTP 204', delivered: true }],
        [60_000, { answer: 'HTTP 410', delivered: false }],
      ],
    );
  });

  it('tries an event again after growing pauses when the shop refuses it', async () => {
    const shop = await receiver(refuse);
    await write(shop);
    const began = shop.clock.now();
    const tries: number[] = [];
    for (let n = 0; n < 12; n++) {
      await shop.deliver();
      await shop.idle();
      if (shop.sent.length > tries.length) tries.push((shop.clock.now() - began) / 1000);
      const next = (await row(shop))?.next_try_at;
      if (next === null || next === undefined) break;
      await shop.clock.advance(next - shop.clock.now());
    }
    const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
    const hours = [2, 5, 10, 14, 20, 24].map((h) => h * 3600);
    assert.deepEqual(pauses, [5, 300, 1800, ...hours]);
    assert.equal((await row(shop))?.delivered_at, null);
    const results = shop.counted.map(([name, , labels]) => `${name} ${labels?.result}`);
    const failed = Array<string>(9).fill('shop_events failed');
    assert.deepEqual(results, [...failed, 'shop_events given_up']);
    const [level, event, fields] = shop.lines[0]!;
    assert.deepEqual([level, event], ['warn', 'shop_event']);
    assert.deepEqual(fields, {
      intent_id: 'i1',
      event_id: 'evt_1',
      type: 'order.created',
      tries: 1,
      failure: 'HTTP 500',
      given_up: false,
    });
    const [lastLevel, , last] = shop.lines.at(-1)!;
    assert.deepEqual([lastLevel, last.tries, last.given_up], ['error', 10, true]);
  });

  for (const [what, answer, failure] of [
    ['an error with a name', () => Promise.reject(new TypeError('x')), 'TypeError'],
    ['something that is no error', () => Promise.reject('x'), 'no answer'],
    ['a redirect', async () => new Response('', { status: 302 }), 'HTTP 302'],
  ] as const)
    it(`records a failed try when the request ends with ${what}`, async () => {
      const shop = await receiver(answer);
      await write(shop);
      await shop.deliver();
      assert.equal(shop.lines[0]?.[2].failure, failure);
      assert.equal((await row(shop))?.tries, 1);
    });

  it('delivers an event again after its lease when its result could not be written', async () => {
    const shop = await receiver(accept);
    await write(shop);
    const { ledger } = shop.context;
    const record = ledger.recordDelivery;
    ledger.recordDelivery = async () => {
      throw new Error('the disk is full');
    };
    await shop.deliver();
    await shop.idle();
    const event = { event_id: 'evt_1', intent_id: 'i1', type: 'order.created' };
    assert.deepEqual(shop.lines, [
      ['info', 'shop_event', { ...event, delivered: true, tries: 1 }],
      ['error', 'shop_event', { ...event, error: 'Error: the disk is full' }],
    ]);
    ledger.recordDelivery = record;
    await shop.clock.advance(19_999);
    await shop.deliver();
    assert.equal(shop.sent.length, 1);
    await shop.clock.advance(1);
    await shop.deliver();
    assert.equal(shop.sent.length, 2);
  });

  it('delivers nothing when no receiver is configured', async () => {
    const shop = await receiver(accept, {});
    await write(shop);
    await shop.deliver();
    assert.deepEqual([shop.sent, shop.lines], [[], []]);
    assert.equal((await row(shop))?.tries, 0);
  });
});

describe('many deliveries', () => {
  it('starts twenty deliveries every quarter of a second when none of them ends', async () => {
    const shop = await receiver(() => new Promise(() => {}));
    await write(shop, 50);
    let ended = false;
    void shop.deliver().then(() => (ended = true));
    await untilSent(shop, 20);
    await shop.clock.advance(249);
    assert.equal(shop.sent.length, 20);
    await shop.clock.advance(1);
    await untilSent(shop, 40);
    await shop.clock.advance(250);
    await untilSent(shop, 50);
    assert.equal(ended, false);
    await shop.clock.advance(250);
    assert.equal(ended, true);
  });

  it('starts no delivery when it is called again while all places are taken', async () => {
    const shop = await receiver(() => new Promise(() => {}));
    await write(shop, 50);
    void shop.deliver();
    await untilSent(shop, 20);
    void shop.deliver();
    await settle();
    assert.equal(shop.sent.length, 20);
  });

  it('starts the next deliveries as soon as the shop answers', async () => {
    const shop = await receiver(accept);
    await write(shop, 100);
    await shop.deliver();
    assert.deepEqual([shop.sent.length, shop.clock.elapsed()], [100, 0]);
  });

  it('keeps at most five hundred deliveries under way when none of them ends', async () => {
    const shop = await receiver(() => new Promise(() => {}));
    await write(shop, 600);
    void shop.deliver();
    for (let n = 1; n <= 25; n++) {
      await untilSent(shop, 20 * n);
      await shop.clock.advance(250);
    }
    await shop.clock.advance(10_000);
    assert.equal(shop.sent.length, 500);
  });

  it('resolves idle() when all deliveries have ended', async () => {
    let answer = (): void => {};
    const shop = await receiver(
      () => new Promise((resolve) => (answer = () => resolve(new Response()))),
    );
    await write(shop);
    void shop.deliver();
    await untilSent(shop, 1);
    let idle = false;
    const ended = shop.idle().then(() => (idle = true));
    await settle();
    assert.equal(idle, false);
    answer();
    await ended;
    assert.notEqual((await row(shop))?.delivered_at, null);
  });
});

it('sets each longest wait to 5 s more than its pause, or than the lease if longer', () => {
  const hours = [2, 5, 10, 14, 20, 24].map((h) => h * 3_600_000);
  const waits = [20_000, 20_000, 300_000, 1_800_000, ...hours];
  assert.deepEqual(
    LONGEST_RETRY_WAITS_MS,
    waits.map((ms) => ms + 5000),
  );
});
