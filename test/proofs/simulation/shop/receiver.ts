/** A shop's receiver of events: it accepts most, refuses some, hangs on some, and loses answers. */
import { createHmac } from 'node:crypto';
import type { Fetch } from '../../../../relay/runtime.js';
import type { Random } from '../chance.js';
import { shopEvent, type Delivery, type ListedEvent } from '../checker/facts.js';
import type { FaultName } from '../faults/names.js';
import type { History } from '../history.js';
import type { ShopSetup } from '../machine/shop-config.js';
import type { Scheduler } from '../time/scheduler.js';

export type ReceiverDeps = {
  setup: ShopSetup;
  scheduler: Scheduler;
  history: History;
  random: Random;
  /** Whether everything works now, because the last fault has ended. */
  isCalm: () => boolean;
  touch: (requestId: string, fault: FaultName) => void;
  onDelivery: (delivery: Delivery) => void;
  /** The shop has handled the event, whether or not its answer arrives. */
  onHandled: (event: ListedEvent) => void;
};

type Mood = 'takes' | 'refuses' | 'hangs' | 'replays';
const MOODS: Readonly<Record<Mood, number>> = { takes: 86, refuses: 5, hangs: 5, replays: 4 };
const FAULTS: Readonly<Record<Mood, FaultName | null>> = {
  takes: null,
  refuses: 'receiver_refuses',
  hangs: 'receiver_hangs',
  replays: 'receiver_replays',
};
/** After this many bad tries an event is accepted, because the next tries come hours later. */
const MAX_BAD_TRIES = 3;
const MEAN_ANSWER_MS = 60;

export function createReceiver(deps: ReceiverDeps): Fetch {
  const { history, isCalm, onDelivery, onHandled, random, scheduler, setup, touch } = deps;
  const badTries = new Map<string, number>();

  const moodFor = (id: string): Mood => {
    const bad = badTries.get(id) ?? 0;
    const mood = bad >= MAX_BAD_TRIES || isCalm() ? 'takes' : random.weighted(MOODS);
    if (mood !== 'takes') badTries.set(id, bad + 1);
    return mood;
  };

  return async (_url, init) => {
    const headers = new Headers(init.headers);
    const body = typeof init.body === 'string' ? init.body : '';
    const id = headers.get('webhook-id') ?? '';
    await scheduler.sleep(random.wait(MEAN_ANSWER_MS));
    if (!isSigned(setup, headers, body)) return new Response(null, { status: 401 });
    const { data, timestamp, type } = shopEvent.parse(JSON.parse(body));
    const mood = moodFor(id);
    const answered = ANSWERS[mood];
    history.write(`shop ${setup.name}`, `${mood} ${type} ${data.request_id} ${data.outcome}`);
    const fault = FAULTS[mood];
    if (fault !== null) touch(data.request_id, fault);
    onDelivery({ id, type, data, timestamp, at: scheduler.now(), answered });
    if (mood === 'takes' || mood === 'replays') onHandled({ id, type, data, timestamp });
    if (mood === 'takes') return new Response();
    if (mood === 'refuses') return new Response(null, { status: 500 });
    if (mood === 'hangs') await aborted(init.signal);
    throw new TypeError('the connection broke');
  };
}

/** A receiver that replays has handled the event, and its answer is lost on the way. */
const ANSWERS = {
  takes: 'ok',
  refuses: 'refused',
  hangs: 'silent',
  replays: 'silent',
} as const;

const aborted = (signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));

/** Checks the signature as the Standard Webhooks specification says, without the relay's code. */
function isSigned({ eventSecret }: ShopSetup, headers: Headers, body: string): boolean {
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`;
  const mac = createHmac('sha256', eventSecret).update(signed).digest('base64');
  return headers.get('webhook-signature') === `v1,${mac}`;
}
