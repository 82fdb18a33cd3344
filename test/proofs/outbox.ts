/**
 * The relay is killed while it delivers events to the shop. Every event arrives at least once; the
 * `sequence` numbers of an intent have no gap and the right order; success has one event id.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import { post, startSandbox, createRelayFolder } from './processes.js';
import { createRandom, counts, each, percentage, type Proof } from './proof.js';

/** Long enough for a killed relay's deliveries, which wait for the end of a lease of 20 s. */
const MAX_SETTLE_MS = 180_000;
/** The order of the events of an intent; some may be missing. */
const EVENT_ORDER = ['order.created', 'order.failed', 'order.succeeded'];

type Ids = { request_id: string; intent_id: string };
type Delivery = { id: string; type: string; sequence: number; epoch: string; request_id: string };

/** The events of one intent by their sequence, without repetitions. */
const uniqueEvents = (received: readonly Delivery[]): Delivery[] =>
  [...new Map(received.map((event) => [event.id, event])).values()].sort(
    (a, b) => a.sequence - b.sequence,
  );

/** True unless the sequence numbers are 1, 2, 3 and so on. */
const hasGap = (events: readonly Delivery[]): boolean =>
  events.some(({ sequence }, index) => sequence !== index + 1);

const isInOrder = (events: readonly Delivery[]): boolean => {
  const places = events.map(({ type }) => EVENT_ORDER.indexOf(type));
  return places[0] === 0 && places.every((place, index) => place > (places[index - 1] ?? -1));
};

const isComplete = (received: readonly Delivery[]): boolean => {
  const events = uniqueEvents(received);
  return !hasGap(events) && events.some(({ type }) => type === 'order.succeeded');
};

export const outbox: Proof = {
  sizes: { orders: 400, kills: 15, seed: 1 },
  run: async ({ kills = 0, orders = 0, seed = 1 }) => {
    const random = createRandom(seed);
    const received = new Map<string, Delivery[]>();
    const refused = new Set<string>();
    const shopServer = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        // the shop refuses a tenth of the events once
        if (!refused.has(id) && random.chance(0.1)) {
          refused.add(id);
          response.writeHead(500).end();
          return;
        }
        const { data, type } = JSON.parse(body) as { type: string; data: Ids & Delivery };
        const { epoch, intent_id, request_id, sequence } = data;
        const event = { id, type, sequence, epoch, request_id };
        received.set(intent_id, [...(received.get(intent_id) ?? []), event]);
        // slow enough that a kill interrupts some deliveries
        setTimeout(() => response.writeHead(200).end(), 20 + random.integer(60));
      });
    }).listen(0);
    const url = `http://127.0.0.1:${(shopServer.address() as AddressInfo).port}/hooks`;
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(
      sandbox.url,
      { shop_events: { url, secret: { env: 'SECRET' } } },
      // short times: a pay that a kill interrupted is resent 1 s after its claim ended
      { queries_per_second: 200, resend_after_s: 1, timeout_ms: 1000 },
    );
    let relay = await shop.relay();
    let placed = 0;
    let confirmed = 0;
    const placedOrders: Ids[] = [];
    /**
     * Acts on an order at the service, and waits for the order: after a kill between its claim and
     * its pay, the relay sends it only later.
     */
    const act = async (id: string, action: string): Promise<void> => {
      for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
        if (await post(`${sandbox.url}/control/orders/${id}`, { action })) return;
      }
      throw new Error(`the service never received ${id}`);
    };
    const place = async (): Promise<void> => {
      const attempt = crypto.randomUUID();
      for (let tries = 0; tries < 60; tries++) {
        const pay = { ...openIntent, attempt, option: 'card' };
        const answer = await post(`${relay.url}/v1/pay`, pay);
        if (answer) {
          placed++;
          const order = answer.order as Ids;
          placedOrders.push(order);
          // declined first, then paid late: three events in a row
          await act(order.request_id, 'decline');
          await sleep(300 + random.integer(600));
          await act(order.request_id, 'pay_late');
          confirmed++;
          return;
        }
        await sleep(100);
      }
    };
    let killed = 0;
    const killer = async (): Promise<void> => {
      for (let count = 1; count <= kills; count++) {
        while (confirmed < (count * orders) / (kills + 1)) await sleep(5);
        relay.child.kill('SIGKILL');
        killed++;
        relay = await shop.relay();
      }
    };
    await Promise.all([each(orders, 12, place), killer()]);
    const missing = (): Ids[] =>
      placedOrders.filter(({ intent_id }) => !isComplete(received.get(intent_id) ?? []));
    for (
      const end = Date.now() + MAX_SETTLE_MS;
      missing().length > 0 && Date.now() < end;
      await sleep(500)
    );
    relay.child.kill('SIGKILL');
    sandbox.child.kill('SIGKILL');
    shopServer.closeAllConnections();
    shopServer.close();
    shop.remove();

    const unfinished = missing().length;
    const finished = placedOrders.map((order) => ({
      order,
      events: uniqueEvents(received.get(order.intent_id) ?? []),
    }));
    const outOfOrder = finished.filter(({ events }) => hasGap(events) || !isInOrder(events)).length;
    const twoIds = finished.filter(
      ({ events }) => events.filter(({ type }) => type === 'order.succeeded').length > 1,
    ).length;
    const misattributed = finished.filter(({ events, order }) =>
      events.some(({ request_id }) => request_id !== order.request_id),
    ).length;
    const deliveries = [...received.values()].flat();
    const repeated = deliveries.length - new Set(deliveries.map(({ id }) => id)).size;
    const epochs = new Set(deliveries.map(({ epoch }) => epoch)).size;
    // a repeated event must have the same content
    const variants = new Set(deliveries.map((event) => JSON.stringify(event))).size;
    const changed = variants - new Set(deliveries.map(({ id }) => id)).size;
    return {
      held:
        unfinished === 0 &&
        outOfOrder === 0 &&
        twoIds === 0 &&
        misattributed === 0 &&
        changed === 0 &&
        epochs === 1 &&
        killed === kills &&
        placed === orders,
      sections: [
        {
          figures: [
            { name: 'orders', value: placed },
            percentage('acceptance', placed, orders),
            ...counts({
              kills: killed,
              'events refused once': refused.size,
              'delivered again': repeated,
            }),
          ],
        },
        {
          figures: counts({
            epochs,
            'success not delivered, or a gap': unfinished,
            'wrong orders of events': outOfOrder,
            'success under two ids': twoIds,
            'events of another order': misattributed,
            'redelivered with other content': changed,
          }),
        },
      ],
    };
  },
};
