/** The relay as a Durable Object: one object serves the whole shop, and keeps its ledger. */
import { DurableObject } from 'cloudflare:workers';
import {
  bindLedger,
  createRelay,
  durableObjectLedger,
  fetchSend,
  parseConfig,
} from 'pay-checkout-relay';
import file from './relay.config.json';

const MOUNT = '/pay'; // the path of public_url
const TICK_MS = 1000;

const log = (level, event, fields) => console[level](JSON.stringify({ event, ...fields }));

async function openRelay(storage, env) {
  const config = parseConfig(file, (secret) => env[secret.env]);
  const ledger = await durableObjectLedger(storage);
  await bindLedger(config, ledger, { log });
  const headers = Object.fromEntries(
    Object.entries(config.service.headers).map(([name, value]) => [name, value.reveal()]),
  );
  const send = fetchSend({ baseUrl: config.service.base_url, headers });
  return createRelay({ config, ledger, send, log });
}

export class Relay extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    // no request is answered before the ledger is open
    ctx.blockConcurrencyWhile(async () => {
      this.relay = await openRelay(ctx.storage, env);
      await ctx.storage.setAlarm(Date.now() + TICK_MS);
    });
  }

  async fetch(request) {
    const url = new URL(request.url);
    url.pathname = url.pathname.slice(MOUNT.length) || '/';
    const mounted = new Request(url, request);
    const response = await this.relay.fetch(mounted);
    // A refused request is answered unread. The rest of its body would break the next request on
    // the same connection.
    if (!mounted.bodyUsed) await mounted.body?.pipeTo(new WritableStream());
    return response;
  }

  /** Follows open orders and delivers events, also while no customer is there. */
  async alarm() {
    // set before any other work, because a transaction that fails would also undo the alarm
    this.ctx.storage.setAlarm(Date.now() + TICK_MS);
    this.ctx.waitUntil(this.relay.tick());
  }
}

export default {
  fetch: (request, env) => env.RELAY.getByName('relay').fetch(request),
};
