/**
 * Kills while events are delivered: each arrives at least once, whatever came before it. `sequence`
 * tells the story of an intent in its order, without a gap; success is told under one id.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '../support/wait.js';
import { openIntent } from '../support/world.js';
import { post, startSandbox, createRelayFolder } from './processes.js';
import { createRandom, counts, each, percentage, type Proof } from './proof.js';

/** A delivery that died with its relay is tried again after its lease of 20 s. */
const QUIET_MS = 180_000;
/** The story of an intent: what may be left out, and never told in another order. */
const STORY = ['order.created', 'order.failed', 'order.succeeded'];

type Named = { request_id: string; intent_id: string };
type Heard = { id: string; type: string; sequence: number; epoch: string; request_id: string };

/** The events of one intent by their sequence, each once. */
const told = (heard: readonly Heard[]): Heard[] =>
  [...new Map(heard.map((event) => [event.id, event])).values()].sort(
    (one, other) => one.sequence - other.sequence,
  );

/** Events count from 1, one by one. */
const hasGap = (events: readonly Heard[]): boolean =>
  events.some(({ sequence }, index) => sequence !== index + 1);

const isInOrder = (events: readonly Heard[]): boolean => {
  const places = events.map(({ type }) => STORY.indexOf(type));
  return places[0] === 0 && places.every((place, index) => place > (places[index - 1] ?? -1));
};

const isComplete = (heard: readonly Heard[]): boolean => {
  const events = told(heard);
  return !hasGap(events) && events.some(({ type }) => type === 'order.succeeded');
};

export const outbox: Proof = {
  sizes: { orders: 400, kills: 15, seed: 1 },
  run: async ({ kills = 0, orders = 0, seed = 1 }) => {
    const random = createRandom(seed);
    const heard = new Map<string, Heard[]>();
    const refused = new Set<string>();
    const shopServer = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        // a tenth of the events is refused at its first try
        if (!refused.has(id) && random.chance(0.1)) {
          refused.add(id);
          response.writeHead(500).end();
          return;
        }
        const { data, type } = JSON.parse(body) as { type: string; data: Named & Heard };
        const { epoch, intent_id, request_id, sequence } = data;
        const event = { id, type, sequence, epoch, request_id };
        heard.set(intent_id, [...(heard.get(intent_id) ?? []), event]);
        // slow enough that a kill finds deliveries under way
        setTimeout(() => response.writeHead(200).end(), 20 + random.whole(60));
      });
    }).listen(0);
    const url = `http://127.0.0.1:${(shopServer.address() as AddressInfo).port}/hooks`;
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(
      sandbox.url,
      { shop_events: { url, secret: { env: 'SECRET' } } },
      // a short claim: what a kill cut off is sent again a claim and a second after its loss
      { queries_per_second: 200, resend_after_s: 1, timeout_ms: 1000 },
    );
    let relay = await shop.relay();
    let placed = 0;
    let confirmed = 0;
    const placedOrders: Named[] = [];
    /**
     * The service has the order a while later when a kill came between its claim and its pay, which
     * is then sent again.
     */
    const make = async (id: string, action: string): Promise<void> => {
      for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
        if (await post(`${sandbox.url}/control/orders/${id}`, { action })) return;
      }
      throw new Error(`the service never had ${id}`);
    };
    const place = async (): Promise<void> => {
      const attempt = crypto.randomUUID();
      for (let tries = 0; tries < 60; tries++) {
        const pay = { ...openIntent, attempt, option: 'card' };
        const answer = await post(`${relay.url}/v1/pay`, pay);
        if (answer) {
          placed++;
          const order = answer.order as Named;
          placedOrders.push(order);
          // declined first, then paid late: three events in a row
          await make(order.request_id, 'decline');
          await sleep(300 + random.whole(600));
          await make(order.request_id, 'pay_late');
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
    const missing = (): Named[] =>
      placedOrders.filter(({ intent_id }) => !isComplete(heard.get(intent_id) ?? []));
    for (
      const end = Date.now() + QUIET_MS;
      missing().length > 0 && Date.now() < end;
      await sleep(500)
    );
    relay.child.kill('SIGKILL');
    sandbox.child.kill('SIGKILL');
    shopServer.closeAllConnections();
    shopServer.close();
    shop.remove();

    const unfinished = missing().length;
    const all = placedOrders.map((order) => ({
      order,
      events: told(heard.get(order.intent_id) ?? []),
    }));
    const wrongStories = all.filter(({ events }) => hasGap(events) || !isInOrder(events)).length;
    const twoIds = all.filter(
      ({ events }) => events.filter(({ type }) => type === 'order.succeeded').length > 1,
    ).length;
    const strangers = all.filter(({ events, order }) =>
      events.some(({ request_id }) => request_id !== order.request_id),
    ).length;
    const deliveries = [...heard.values()].flat();
    const repeated = deliveries.length - new Set(deliveries.map(({ id }) => id)).size;
    const epochs = new Set(deliveries.map(({ epoch }) => epoch)).size;
    // a repetition says the same again
    const spellings = new Set(deliveries.map((event) => JSON.stringify(event))).size;
    const changed = spellings - new Set(deliveries.map(({ id }) => id)).size;
    return {
      held:
        unfinished === 0 &&
        wrongStories === 0 &&
        twoIds === 0 &&
        strangers === 0 &&
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
            'wrong orders of events': wrongStories,
            'success under two ids': twoIds,
            'events of another order': strangers,
            'redelivered with other content': changed,
          }),
        },
      ],
    };
  },
};
