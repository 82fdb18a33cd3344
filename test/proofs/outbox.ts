/** Kills while events are delivered: each arrives at least once, in order per intent, success under one id. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openIntent } from '../world.js';
import { post, startSandbox, workshop } from './processes.js';
import { chance, each, percent, sleep, type Proof } from './proof.js';

/** A delivery that died with its relay is tried again after its lease of 20 s; three of an intent's events may each meet a kill and a refusal. */
const QUIET_MS = 180_000;

export const outbox: Proof = {
  sizes: { orders: 400, kills: 15, seed: 1 },
  run: async ({ kills = 0, orders = 0, seed = 1 }) => {
    const luck = chance(seed);
    const heard = new Map<string, { id: string; type: string }[]>();
    const refused = new Set<string>();
    const shopServer = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        // a tenth of the events is refused at its first try
        if (!refused.has(id) && luck.is(0.1)) {
          refused.add(id);
          response.writeHead(500).end();
          return;
        }
        const { data, type } = JSON.parse(body) as { type: string; data: { intent_id: string } };
        heard.set(data.intent_id, [...(heard.get(data.intent_id) ?? []), { id, type }]);
        // slow enough that a kill finds deliveries under way
        setTimeout(() => response.writeHead(200).end(), 20 + luck.whole(60));
      });
    }).listen(0);
    const url = `http://127.0.0.1:${(shopServer.address() as AddressInfo).port}/hooks`;
    const sandbox = await startSandbox();
    const shop = await workshop(
      sandbox.url,
      { shop_events: { url, secret: { env: 'SECRET' } } },
      { queries_per_second: 200, resend_after_s: 1 },
    );
    let relay = await shop.relay();
    let placed = 0;
    let confirmed = 0;
    const ids: string[] = [];
    /** The service has the order a while later when a kill came between its claim and its pay, which is then sent again. */
    const make = async (id: string, action: string): Promise<void> => {
      for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
        if (await post(`${sandbox.url}/control/orders/${id}`, { action })) return;
      }
      throw new Error(`the service never had ${id}`);
    };
    const place = async (): Promise<void> => {
      const attempt = crypto.randomUUID();
      for (let tries = 0; tries < 60; tries++) {
        if (await post(`${relay.url}/v1/pay`, { ...openIntent, attempt, option: 'card' })) {
          placed++;
          ids.push(attempt);
          // declined first, then paid late: three events in a row
          await make(attempt, 'decline');
          await sleep(300 + luck.whole(600));
          await make(attempt, 'pay_late');
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
    const missing = (): string[] =>
      ids.filter((id) => !heard.get(id)?.some(({ type }) => type === 'order.succeeded'));
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

    const ORDER = ['order.created', 'order.failed', 'order.succeeded'];
    let outOfOrder = 0;
    let twoIds = 0;
    let repeated = 0;
    for (const id of ids) {
      const events = heard.get(id) ?? [];
      const first = events.filter(
        (event, index) => events.findIndex((other) => other.id === event.id) === index,
      );
      repeated += events.length - first.length;
      const at = first.map(({ type }) => ORDER.indexOf(type));
      if (
        at.some(
          (position, index) => position < 0 || (index > 0 && position <= (at[index - 1] ?? -1)),
        )
      )
        outOfOrder++;
      if (!first.some(({ type }) => type === 'order.created')) outOfOrder++;
      if (first.filter(({ type }) => type === 'order.succeeded').length > 1) twoIds++;
    }
    return {
      held:
        missing().length === 0 &&
        outOfOrder === 0 &&
        twoIds === 0 &&
        killed === kills &&
        placed === orders,
      figures: `orders ${placed} (acceptance ${percent(placed, orders)}), kills ${killed}, events refused once ${refused.size}, delivered again ${repeated}; success never told ${missing().length}, intents out of order ${outOfOrder}, success under two ids ${twoIds}`,
    };
  },
};
