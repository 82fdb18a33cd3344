/** Lists for a shop that reconciles: of changed intents with their orders, and of events. */
import type { OrderInIntent } from '../intent.js';
import type { HeldBack, Ledger } from '../ledger.js';
import type { ShopEventRow } from '../rows.js';
import {
  eventPosition,
  ordersAfter,
  pageAfter,
  START,
  type Listed,
  type ListName,
  type Position,
  type Reach,
} from '../shop-ledger.js';
import type { Engine } from './engine.js';
import { EVENT } from './events.js';
import { all, first, type Program } from './program.js';
import { bodyOf, type IntentRecord } from './record.js';

/** Reads how far a list reaches. Only a later statement may read the list. */
export function* readReach({ reach }: Engine, list: ListName): Program<Reach> {
  const found = yield* first<Reach>(reach[list]);
  if (!found) throw new Error(`the ledger does not say how far its ${list} reach`);
  // SQLite has no boolean
  return { ...found, is_standby: Boolean(found.is_standby) };
}

export const listsIn = (
  engine: Engine,
): Pick<Ledger, 'heldBack' | 'listEvents' | 'listOrders' | 'reach'> => ({
  reach: (list) => engine.read(() => readReach(engine, list)),
  heldBack: async () => {
    const { heldBack, read } = engine;
    return heldBack === null ? null : read(() => first<HeldBack>(heldBack));
  },
  listOrders: (after, limit, reach) =>
    engine.read(function* () {
      return yield* listOrders(reach ?? (yield* readReach(engine, 'orders')), after, limit);
    }),
  listEvents: (after, limit, { intentId, reach: known } = {}) =>
    engine.read(function* () {
      const reach = known ?? (yield* readReach(engine, 'events'));
      const isReset = after !== null && (yield* isForeignEvent(after, reach.last));
      const from = after === null || isReset ? START : after;
      const range = [from.number, reach.settled, limit + 1] as const;
      const found = yield* intentId === undefined
        ? all<ShopEventRow>(EVENTS, ...range)
        : all<ShopEventRow>(EVENTS_OF_INTENT, ...range, intentId);
      return { ...pageAfter(from, found, limit, eventPosition), isReset };
    }),
});

const EVENTS = `select ${EVENT} from events where seq > $1 and seq <= $2 order by seq limit $3`;
const EVENTS_OF_INTENT = EVENTS.replace('order by', 'and intent_id = $4 order by');

/** The intent of the position, and one more, which tells whether the list goes on. */
const READ_AHEAD = 2;

/**
 * Lists every order of each intent that changed, so an order that did not change may come too. The
 * position is the number of an intent, with the request_id of its order.
 */
function* listOrders(
  { last: lastPosition, settled }: Reach,
  after: Position | null,
  limit: number,
): Program<Listed<OrderInIntent>> {
  const isReset = after !== null && (yield* isForeignOrder(after, lastPosition));
  const from = after === null || isReset ? START : after;
  const found = yield* all<Pick<IntentRecord, 'body' | 'intent_id'> & { position: number }>(
    `select intent_id, body, position from intents where position >= $1 and position <= $2
      order by position limit $3`,
    from.number,
    settled,
    limit + READ_AHEAD,
  );
  // the list must not pass an order that cannot be read: its cursor would never return to it
  const intents = found.map((row) => ({ intent: bodyOf(row), position: row.position }));
  const page = ordersAfter(from, intents, limit);
  const reached = found[limit + READ_AHEAD - 1];
  // intents without orders come between those with orders
  if (reached && !page.more)
    return { ...page, last: { number: reached.position, id: '' }, more: true, isReset };
  return { ...page, isReset };
}

/**
 * Whether a position is of another history: this ledger is a copy that lost rows, and its next rows
 * get numbers that other rows had before.
 */
function* isForeignOrder({ id, number }: Position, lastPosition: number): Program<boolean> {
  if (id === '') return number > lastPosition;
  if (number > lastPosition) return true;
  const now = yield* first<{ position: number }>(
    `select intents.position from requests
      join intents on intents.intent_id = requests.intent_id where requests.request_id = $1`,
    id,
  );
  // an intent that changed since then has a higher number
  if (now) return now.position < number;
  return (yield* first('select position from intents where position = $1', number)) !== null;
}

function* isForeignEvent({ id, number }: Position, lastSeq: number): Program<boolean> {
  if (number > lastSeq) return true;
  if (id === '') return false;
  const there = yield* first<{ event_id: string }>(
    'select event_id from events where seq = $1',
    number,
  );
  return there !== null && there.event_id !== id;
}
