/**
 * A shop's backend that handles every paid order once, even after it has lost its database and
 * restored an older one. Its database is one JSON file; a real one has a table for each field.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';

type Sale = { amount: string; currency: string };
type Payment = Sale & { intent_id: string; request_id: string };
type ShopEvent = {
  type: string;
  data: Payment & { livemode: boolean; resolved_as?: string };
};
type EventPage = { events: ShopEvent[]; cursor: string; more: boolean };
type Database = {
  /** Where the next reconciliation continues. */
  cursor: string | null;
  /** Paid orders by intent_id. */
  toPack: Record<string, Sale & { request_id: string }>;
  /** Payments to refund by request_id. */
  refunds: Record<string, Sale & { intent_id: string }>;
};
type Options = {
  /** Address of the relay, and its `secret_key`. */
  relay: string;
  secretKey: string;
  /** True where goods are delivered: an event of the other mode is left out. */
  livemode: boolean;
  /** The shop's database. */
  file: string;
  /** The amount and currency of each sale, by intent_id. */
  sold: Record<string, Sale>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** The events of a payment; only the first one pays a sale. */
const PAYMENTS = ['order.succeeded', 'order.late_payment', 'order.duplicate_payment'];

export function createShop(options: Options) {
  const { relay, secretKey, livemode, file, sold, fetch = globalThis.fetch } = options;
  let queue: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<Database> => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      // only a file that does not exist is a new database; any other error may pass
      if (error.code !== 'ENOENT') throw error;
      return '{ "cursor": null, "toPack": {}, "refunds": {} }';
    });
    return JSON.parse(text) as Database;
  };

  /** Makes one change of the database at a time; each change is written whole or not at all. */
  const change = <T>(work: (data: Database) => T | Promise<T>): Promise<T> => {
    const result = queue.then(async () => {
      const data = await read();
      const answer = await work(data);
      await writeFile(`${file}.new`, JSON.stringify(data));
      await rename(`${file}.new`, file);
      return answer;
    });
    queue = result.catch(() => {});
    return result;
  };

  const listEvents = async (cursor: string | null): Promise<EventPage> => {
    const response = await fetch(`${relay}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
      body: JSON.stringify(cursor === null ? {} : { cursor }),
      // the webhooks wait for this answer
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`/v1/events: HTTP ${response.status}`);
    return (await response.json()) as EventPage;
  };

  /** Handles one event. The intent_id is the key, so a repeated event changes nothing. */
  const handle = (data: Database, { data: event, type }: ShopEvent): void => {
    const { amount, currency, intent_id, request_id, resolved_as } = event;
    if (event.livemode !== livemode) return;
    const sale = sold[intent_id];
    const packed = data.toPack[intent_id];
    // a payment is decided once: a relay whose ledger was restored may call another one the first
    if (!PAYMENTS.includes(type) || packed?.request_id === request_id || data.refunds[request_id])
      return;
    // a payment of another amount, of no sale of this shop, or of an order that a person has
    // resolved as failed, pays nothing, and goes back
    const isSold = sale?.amount === amount && sale.currency === currency;
    if (type === 'order.succeeded' && isSold && !packed && resolved_as !== 'failed')
      data.toPack[intent_id] = { request_id, amount, currency };
    else data.refunds[request_id] = { intent_id, amount, currency };
  };

  return {
    /** Called with each webhook, after its signature was checked. */
    receive: (event: ShopEvent): Promise<void> => change((data) => handle(data, event)),
    /**
     * Called at start, and from time to time: reads every event since the cursor. The cursor is
     * part of the database, so a restored database continues from where its backup was made.
     */
    reconcile: async (): Promise<void> => {
      for (let more = true; more;)
        more = await change(async (data) => {
          const page = await listEvents(data.cursor);
          for (const event of page.events) handle(data, event);
          data.cursor = page.cursor;
          return page.more;
        });
    },
    database: read,
  };
}
