/** Handles each event once, inside the shop's own database transaction. */
import { checkMode, type ShopEvent } from './event.js';
import { readBytes } from '../../relay/contract/read-bytes.js';
import {
  EventError,
  readSignature,
  verifyEvent,
  type EventBody,
  type EventHeaders,
  type VerifyOptions,
} from './verify-event.js';

export type EventPlace = { intent_id: string; epoch: string };

/** The record of the handled events in the shop's own database. */
export type EventStore<Tx> = {
  /** Commits when `run` resolves, and rolls everything back when it rejects. */
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Inserts the event, unless it is there already. Also locks the intent until the transaction
   * ends, so that two events of one intent are not handled at the same time.
   *
   * @returns false when the event was there already
   */
  add(tx: Tx, event: EventPlace & { event_id: string; sequence: number }): Promise<boolean>;
  /** @returns the highest sequence of the intent in the epoch; 0 when there is none */
  lastSequence(tx: Tx, place: EventPlace): Promise<number>;
  /** Whether `add` has inserted the event. Without this function `lastSequence` is asked. */
  isAdded?(tx: Tx, event_id: string): Promise<boolean>;
};

/**
 * Handles one event.
 *
 * @param context `tx` is the transaction that records the event, so each write in it happens once
 */
export type HandleEvent<Tx> = (
  event: ShopEvent,
  context: {
    tx: Tx;
    /** Whether an event of the intent with a higher sequence was handled before. */
    stale: boolean;
  },
) => unknown;

export type ReceiveOptions<Tx> = VerifyOptions & {
  secrets: string | readonly string[];
  store: EventStore<Tx>;
  handle: HandleEvent<Tx>;
  /**
   * Write true where goods are delivered: an event of mode test, in which no money moves, is then
   * answered with 200 and not handled. By default events of both modes are handled.
   */
  livemode?: boolean | undefined;
};

export type ReceiveEvents = {
  (request: Request): Promise<Response>;
  /** For a framework that has read the request: takes its raw body and its headers. */
  parts(body: EventBody, headers: EventHeaders): Promise<{ status: number }>;
};

/** Longest body that is read; an event has at most a few kilobytes. */
const MAX_EVENT_BYTES = 65_536;

/** @throws the error of `handle` or of the database; then nothing is written */
export async function handleOnce<Tx>(
  { handle, livemode, store }: Pick<ReceiveOptions<Tx>, 'store' | 'handle' | 'livemode'>,
  event: ShopEvent,
): Promise<void> {
  if (livemode !== undefined && event.data.livemode !== livemode) {
    const mode = event.data.livemode ? 'live' : 'test';
    console.warn(`pay-checkout: the event ${event.id} of mode ${mode} was not handled`);
    return;
  }
  await store.transaction(async (tx) => {
    const { epoch, intent_id, sequence } = event.data;
    if (!(await store.add(tx, { event_id: event.id, intent_id, epoch, sequence }))) return;
    const last = await store.lastSequence(tx, { intent_id, epoch });
    await handle(event, { tx, stale: last > sequence });
    // After a failed statement PostgreSQL rolls back at the commit, without an error. If the
    // handler caught the error of its statement, or rolled back by itself, the relay would be told
    // that the event was handled. This query fails in the first case, and finds nothing in the
    // second. A store whose transaction does not read its own writes saw nothing before either.
    const isAdded = store.isAdded
      ? await store.isAdded(tx, event.id)
      : last < sequence || (await store.lastSequence(tx, { intent_id, epoch })) >= sequence;
    if (!isAdded) throw new Error('the handler ended the transaction by itself');
  });
}

/**
 * Answers 200 to an event that is handled now or was handled before, 401 to a wrong signature, 400
 * to an event that is too old or unreadable, and 413 to a body of more than 64 KiB. Answers 500
 * when `handle` throws; the relay then sends the event again later.
 *
 * @throws TypeError when `livemode` is no boolean
 */
export function receiveEvents<Tx>(options: ReceiveOptions<Tx>): ReceiveEvents {
  const { livemode, secrets } = options;
  checkMode(livemode);
  let hasWarned = false;
  /** Warns once only: anybody may post to this address, and could fill the log. */
  const warnOfRefusal = ({ code, message }: EventError): void => {
    if (!hasWarned) console.warn(`pay-checkout: an event was refused (${code}): ${message}`);
    hasWarned = true;
  };
  const answerTo = (error: unknown): { status: number } => {
    if (error instanceof EventError) {
      warnOfRefusal(error);
      return { status: error.code === 'bad_signature' ? 401 : 400 };
    }
    console.error('pay-checkout: an event was not handled:', error);
    return { status: 500 };
  };
  const parts: ReceiveEvents['parts'] = async (body, headers) => {
    try {
      await handleOnce(options, await verifyEvent(body, headers, secrets, options));
      return { status: 200 };
    } catch (error) {
      return answerTo(error);
    }
  };
  const receive = async (request: Request): Promise<Response> => {
    if (typeof request.headers.get !== 'function')
      throw new TypeError(
        'receiveEvents takes a Request of the web; with Express, read the body by express.raw() ' +
          'and call receive.parts(request.body, request.headers)',
      );
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    try {
      // anybody may post to this address, so the headers are checked before the body is read
      readSignature(request.headers);
      const body = await readBytes(request, MAX_EVENT_BYTES);
      const answer = body ? await parts(body, request.headers) : { status: 413 };
      return new Response(null, answer);
    } catch (error) {
      return new Response(null, answerTo(error));
    }
  };
  return Object.assign(receive, { parts });
}
