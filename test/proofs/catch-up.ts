/**
 * A shop that lost its database asks for all events of its ledger again, while customers pay. Every
 * event is delivered. An event that the shop asks for during its delivery is delivered once more.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, until } from '../suite/support/wait.js';
import { bearer, openIntent, postRequest } from '../suite/support/world.js';
import { sqlite } from './aged.js';
import { percentage, percentile, type Proof } from './proof.js';

const TICK_MS = 500;
const PAY_EVERY_MS = 50;
const DELIVERED_WITHIN_MS = 600_000;
const SINCE = '1970-01-01T00:00:00.000Z';

type Answer = { resent?: number };

export const catchUp: Proof = {
  sizes: { events: 100_000, below_ms: 250 },
  // `npm run test:all` runs beside other work, so it only checks that nothing is lost
  small: { events: 3000, below_ms: DELIVERED_WITHIN_MS },
  run: async ({ below_ms: bound = 0, events = 0 }) => {
    const folder = mkdtempSync(join(tmpdir(), 'catch-up-'));
    const received = new Map<string, number>();
    /** The first event. Its delivery is held until the shop has asked for the event once more. */
    let first: string | undefined;
    let isReleased = false;
    const aged = await sqlite(folder, events, async (_url, init) => {
      const id = new Headers(init.headers).get('webhook-id') ?? '';
      received.set(id, (received.get(id) ?? 0) + 1);
      first ??= id;
      if (id === first) await until(() => isReleased, 'released');
      return new Response('OK');
    });
    const { close, relay } = aged;
    const ask = async (path: string, body: object, headers = {}): Promise<unknown> =>
      (await relay.fetch(postRequest(path, body, headers))).json();
    const timer = setInterval(() => void relay.tick(), TICK_MS);
    const pays: number[] = [];
    let paying = true;
    const customers = (async () => {
      while (paying) {
        const began = performance.now();
        await ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'card' });
        pays.push(performance.now() - began);
        await sleep(PAY_EVERY_MS);
      }
    })();
    const began = performance.now();
    const answer = (await ask('/v1/events/resend', { since: SINCE }, bearer)) as Answer;
    const { resent } = answer;
    if (resent === undefined) throw new Error(`the resend was refused: ${JSON.stringify(answer)}`);
    const answeredMs = performance.now() - began;
    await until(() => first !== undefined, 'a delivery');
    await ask('/v1/events/resend', { event_id: first }, bearer);
    isReleased = true;
    // the ledger counts a resent event as delivered, and customers' pays add events of their own
    const due = 'select 1 from events where next_try_at is not null limit 1';
    const isAllDelivered = async (): Promise<boolean> => (await aged.run(due)).length === 0;
    await until(isAllDelivered, 'the events arrive', DELIVERED_WITHIN_MS);
    const seconds = (performance.now() - began) / 1000;
    paying = false;
    await customers;
    await until(isAllDelivered, 'the events of the last pays arrive');
    clearInterval(timer);
    const stored = await aged.run('select event_id from events');
    const lost = stored.filter(({ event_id }) => !received.has(String(event_id))).length;
    await close();
    rmSync(folder, { recursive: true });
    const p99 = percentile(pays, 0.99);
    const again = received.get(first ?? '') ?? 0;
    return {
      held: resent >= events && lost === 0 && again >= 2 && p99 < bound,
      sections: [
        {
          figures: [
            { name: 'events asked for', value: resent },
            percentage('acceptance', resent, events),
            { name: 'answered in', value: answeredMs, unit: 'ms' },
            { name: 'all delivered in', value: seconds, digits: 1, unit: 's' },
          ],
        },
        {
          figures: [
            { name: 'not delivered', value: lost },
            { name: 'deliveries of the event asked for twice', value: again },
            { name: 'pays meanwhile', value: pays.length },
            { name: 'their p99', value: p99, unit: 'ms', bound },
          ],
        },
      ],
    };
  },
};
