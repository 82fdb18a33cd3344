/** Checks a ledger with the database's own check, and finds rows that contradict each other. */
import { readBody } from '../body.js';
import { orderOf, type Intent } from '../intent.js';
import type { Engine } from './engine.js';
import { all, type Program } from './program.js';

/** Problems of each kind that are named; there may be millions. */
const MAX_NAMED = 10;
const ROWS_PER_STEP = 1000;

export function* verifyIn({ checkQuery }: Engine): Program<string[]> {
  const lines = checkQuery ? yield* all<{ integrity_check: string }>(checkQuery) : [];
  const damage = lines.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  const lost = yield* all<{ id: string }>(
    `select request_id as id from requests where not exists
      (select 1 from intents where intents.intent_id = requests.intent_id) limit ${MAX_NAMED}`,
  );
  const wrong = yield* wrongIntents();
  return [...damage, ...lost.map(({ id }) => `order without its intent: ${id}`), ...wrong];
}

/** Reads each body, and compares the intent with its orders. */
function* wrongIntents(): Program<string[]> {
  const found: string[] = [];
  for (let after = ''; found.length < MAX_NAMED;) {
    const rows = yield* all<{ intent_id: string; body: string }>(
      'select intent_id, body from intents where intent_id > $1 order by intent_id limit $2',
      after,
      ROWS_PER_STEP,
    );
    for (const { body, intent_id } of rows) {
      const problem = problemOf(body);
      if (problem !== null) found.push(`${problem}: ${intent_id}`);
    }
    const last = rows[ROWS_PER_STEP - 1];
    if (!last) break;
    after = last.intent_id;
  }
  return found.slice(0, MAX_NAMED);
}

function problemOf(body: string): string | null {
  let intent: Intent;
  try {
    intent = readBody(body);
  } catch {
    return 'intent that cannot be read';
  }
  const { current_request_id, orders, paid_request_id } = intent;
  if (current_request_id !== null && !orderOf(intent, current_request_id))
    return 'intent whose current order is missing';
  if (paid_request_id !== null && orderOf(intent, paid_request_id)?.outcome !== 'succeeded')
    return 'intent whose paying order is missing or did not succeed';
  if (paid_request_id === null && orders.some(({ outcome }) => outcome === 'succeeded'))
    return 'intent that is not paid, with an order that succeeded';
  return null;
}
