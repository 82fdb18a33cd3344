/** Checks a ledger with the database's own check, and finds rows that contradict each other. */
import { readBody } from '../body.js';
import { dueAt, lookupsOf, orderOf, type Intent } from '../intent.js';
import type { Engine } from './engine.js';
import { all, first, type Program } from './program.js';
import { columnsOf, COLUMNS, type IntentRecord } from './record.js';

/** Problems of each kind that are named; there may be millions. */
const MAX_NAMED = 10;
const ROWS_PER_STEP = 1000;

export function* verifyIn(engine: Engine): Program<string[]> {
  const { checkQuery } = engine;
  const lines = checkQuery ? yield* all<{ integrity_check: string }>(checkQuery) : [];
  const damage = lines.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  const lost = yield* lostOrders();
  const wrong = yield* wrongIntents(engine);
  return [...damage, ...lost.map((id) => `order without its intent: ${id}`), ...wrong];
}

/** In steps: one statement about all orders of a large ledger would take longer than it may. */
function* lostOrders(): Program<string[]> {
  const found: string[] = [];
  for (let after: string | undefined = ''; after !== undefined && found.length < MAX_NAMED;) {
    const rows: Order[] = yield* all<Order>(
      `select request_id, (select 1 from intents where intents.intent_id = requests.intent_id)
          as is_there
        from requests where request_id > $1 order by request_id limit $2`,
      after,
      ROWS_PER_STEP,
    );
    found.push(...rows.filter((row) => row.is_there === null).map((row) => row.request_id));
    after = rows[ROWS_PER_STEP - 1]?.request_id;
  }
  return found.slice(0, MAX_NAMED);
}
type Order = { readonly request_id: string; readonly is_there: 1 | null };

type Column = (typeof COLUMNS)[number];
type Row = Readonly<Record<Exclude<Column, 'body'>, string | number | null>> &
  IntentRecord & { readonly created_at: number };
type Read = { readonly row: Row; readonly intent: Intent };

/** Compares each intent with its orders, its columns, and the rows by which it is found. */
function* wrongIntents(engine: Engine): Program<string[]> {
  const found: string[] = [];
  for (let after = ''; found.length < MAX_NAMED;) {
    const rows = yield* all<Row>(
      `select intent_id, created_at, leased_at, version, ${COLUMNS.join()} from intents
        where intent_id > $1 order by intent_id limit $2`,
      after,
      ROWS_PER_STEP,
    );
    const read: Read[] = [];
    for (const row of rows) {
      const intent = readOrNull(row.body);
      const problem = intent ? problemOf(row, intent) : 'intent that cannot be read';
      if (problem !== null) found.push(`${problem}: ${row.intent_id}`);
      else if (intent) read.push({ row, intent });
    }
    found.push(...(yield* notFound(engine, read)));
    const last = rows[ROWS_PER_STEP - 1];
    if (!last) break;
    after = last.intent_id;
  }
  return found.slice(0, MAX_NAMED);
}

function readOrNull(body: string): Intent | null {
  try {
    return readBody(body);
  } catch {
    return null;
  }
}

function problemOf(row: Row, intent: Intent): string | null {
  const { current_request_id, orders, paid_request_id } = intent;
  if (current_request_id !== null && !orderOf(intent, current_request_id))
    return 'intent whose current order is missing';
  if (paid_request_id !== null && orderOf(intent, paid_request_id)?.outcome !== 'succeeded')
    return 'intent whose paying order is missing or did not succeed';
  if (paid_request_id === null && orders.some(({ outcome }) => outcome === 'succeeded'))
    return 'intent that is not paid, with an order that succeeded';
  const column = wrongColumn(row, intent);
  return column === null ? null : `intent whose ${column} contradicts its body`;
}

/** A relay finds an intent by these columns: an intent with a wrong `due_at` is never followed. */
function wrongColumn(row: Row, intent: Intent): string | null {
  if (row.intent_id !== intent.intent_id) return 'intent_id';
  if (row.created_at !== intent.created_at) return 'created_at';
  const values = columnsOf(intent);
  // a lease moves `due_at` alone, and only to another time
  const isLeased = row.leased_at !== null && row.due_at !== null && dueAt(intent) !== null;
  const isWrong = (name: Column, index: number): boolean =>
    name !== 'body' && !(name === 'due_at' && isLeased) && row[name] !== values[index];
  return COLUMNS.find(isWrong) ?? null;
}

/** Looks for the rows by which the intents and their orders are found. */
function* notFound({ pairsIn }: Engine, read: readonly Read[]): Program<string[]> {
  const without = (pairs: Pairs, exists: string, ...values: readonly string[]) =>
    all<{ key: string; value: string }>(
      `select key, value from (${pairsIn(1)}) as pairs where not exists (${exists})`,
      JSON.stringify(Object.fromEntries(pairs)),
      ...values,
    );
  const found: { id: string; problem: string }[] = [];
  const orders: Pairs = read.flatMap(({ intent }) =>
    intent.orders.map(({ request_id }) => [request_id, intent.intent_id] as const),
  );
  const ofIntent =
    'select 1 from requests where request_id = pairs.key and intent_id = pairs.value';
  for (const { key, value } of yield* without(orders, ofIntent))
    found.push({ id: value, problem: `order that is not found by its request_id: ${key}` });
  for (const { kind, pairs } of lookupLists(read)) {
    const lookup =
      'select 1 from lookups where kind = $2 and text = pairs.value and intent_id = pairs.key';
    for (const { key } of yield* without(pairs, lookup, kind))
      found.push({ id: key, problem: `intent that is not found by its ${kind}: ${key}` });
  }
  const versions = new Map(read.map(({ row }) => [row.intent_id, row.version]));
  const problems: string[] = [];
  for (const { id, problem } of found.slice(0, MAX_NAMED)) {
    // relays go on meanwhile: the intent may have been deleted or erased since it was read
    const now = yield* first<{ version: number }>(
      'select version from intents where intent_id = $1',
      id,
    );
    if (now?.version === versions.get(id)) problems.push(problem);
  }
  return problems;
}

type Pairs = readonly (readonly [key: string, value: string])[];

/** The lookups by kind, each list with at most one lookup of an intent. */
function lookupLists(read: readonly Read[]): readonly { kind: string; pairs: Pairs }[] {
  const lists = new Map<string, { kind: string; pairs: [string, string][] }>();
  for (const { intent } of read)
    for (const [index, [kind, text]] of lookupsOf(intent).entries()) {
      const list = lists.get(`${kind} ${index}`) ?? { kind, pairs: [] };
      list.pairs.push([intent.intent_id, text]);
      lists.set(`${kind} ${index}`, list);
    }
  return [...lists.values()];
}
