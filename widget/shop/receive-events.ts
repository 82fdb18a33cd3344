/** Handles each event once, inside the shop's own database transaction. */
import type { ShopEvent } from './event.js';
import {
  EventError,
  verifyEvent,
  type EventBody,
  type EventHeaders,
  type VerifyOptions,
} from './verify-event.js';

export type EventPlace = { intent_id: string; epoch: string };

/** What the shop's database remembers of the events. */
export type EventStore<Tx> = {
  /** Commits when `run` resolves, and rolls everything back when it rejects. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * A unique insert, which also lets the events of one intent wait for each other.
   *
   * @returns false when the event is there already
   */
  add(tx: Tx, event: EventPlace & { event_id: string; sequence: number }): Promise<boolean>;
  /** @returns the highest sequence of the intent; 0 when there is none */
  lastSequence(tx: Tx, place: EventPlace): Promise<number>;
};

/**
 * @param tx the transaction in which the event is remembered: what is written in it happens once
 */
export type HandleEvent<Tx> = (
  event: ShopEvent,
  context: {
    tx: Tx;
    /** A later event of the intent was handled before. */
    stale: boolean;
  },
) => unknown;

export type ReceiveOptions<Tx> = VerifyOptions & {
  secrets: string | readonly string[];
  store: EventStore<Tx>;
  handle: HandleEvent<Tx>;
};

export type ReceiveEvents = {
  (request: Request): Promise<Response>;
  /** The same where a framework has read the body; it must be the raw one. */
  parts(body: EventBody, headers: EventHeaders): Promise<{ status: number }>;
};

/** @throws what `handle` or the database throws; then nothing is written */
export const handleOnce = <Tx>(
  { handle, store }: Pick<ReceiveOptions<Tx>, 'store' | 'handle'>,
  event: ShopEvent,
): Promise<void> =>
  store.transaction(async (tx) => {
    const { epoch, intent_id, sequence } = event.data;
    if (!(await store.add(tx, { event_id: event.id, intent_id, epoch, sequence }))) return;
    const last = await store.lastSequence(tx, { intent_id, epoch });
    await handle(event, { tx, stale: last > sequence });
    // PostgreSQL turns the commit after a failed statement into a rollback without an error: if the
    // handler caught that statement's error, the event would count as handled, and is not
    await store.lastSequence(tx, { intent_id, epoch });
  });

/**
 * Answers 200 to an event that was handled, now or before; 401 or 400 to one that is not genuine,
 * too old or unreadable; 500 when `handle` throws, and the relay sends the event again later.
 */
export function receiveEvents<Tx>(options: ReceiveOptions<Tx>): ReceiveEvents {
  const { secrets } = options;
  const parts: ReceiveEvents['parts'] = async (body, headers) => {
    try {
      await handleOnce(options, await verifyEvent(body, headers, secrets, options));
      return { status: 200 };
    } catch (error) {
      if (error instanceof EventError)
        return { status: error.code === 'bad_signature' ? 401 : 400 };
      console.error('pay-checkout: an event was not handled:', error);
      return { status: 500 };
    }
  };
  const receive = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const body = new Uint8Array(await request.arrayBuffer());
    return new Response(null, await parts(body, request.headers));
  };
  return Object.assign(receive, { parts });
}
