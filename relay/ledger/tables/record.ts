/** The row of an intent: its body, and the columns by which a relay finds it. */
import { readBody, writeBody } from '../body.js';
import type { OnDamage } from '../damage.js';
import { asLeased, dueAt, openAs, openSince, type Intent } from '../intent.js';
import { all, type Program, type SqlValue } from './program.js';

export type IntentRecord = {
  readonly intent_id: string;
  readonly body: string;
  readonly due_at: number | null;
  readonly leased_at: number | null;
  readonly version: number;
};

const NAMES = [
  'intent_id',
  'body',
  'due_at',
  'leased_at',
  'version',
] as const satisfies (keyof IntentRecord)[];
/** The columns of an `IntentRecord`. */
export const RECORD = NAMES.map((name) => `intents.${name}`).join();
/** The same, in a statement about a row of `requests`, which cannot join. */
export const RECORD_OF_REQUEST = NAMES.map(
  (name) => `(select ${name} from intents where intents.intent_id = requests.intent_id) as ${name}`,
).join();

/** @throws Error that names an intent that cannot be read */
export function bodyOf({ body, intent_id }: Pick<IntentRecord, 'body' | 'intent_id'>): Intent {
  try {
    return readBody(body);
  } catch (cause) {
    const why = 'it is damaged, or a newer relay wrote it';
    throw new Error(`the intent ${intent_id} cannot be read: ${why}`, { cause });
  }
}

/** @throws Error that names an intent that cannot be read */
export const intentOf = (row: IntentRecord): Intent => ({
  ...asLeased(bodyOf(row), row.due_at, row.leased_at),
  version: row.version,
});

/** Reads rows, without those that cannot be read. */
export const readable = <Row extends { readonly intent_id: string }, T>(
  rows: readonly Row[],
  read: (row: Row) => T,
  onDamage: OnDamage,
): T[] =>
  rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      onDamage(row.intent_id, error);
      return [];
    }
  });

/** @param text selects the columns of an `IntentRecord` */
export function* allIntents(text: string, ...values: readonly SqlValue[]): Program<Intent[]> {
  return (yield* all<IntentRecord>(text, ...values)).map(intentOf);
}

/** The columns that every write of an intent sets, in the order of `columnsOf`. */
export const COLUMNS = ['body', 'due_at', 'unpaid_due_at', 'open_as', 'open_since'] as const;

export function columnsOf(intent: Intent): SqlValue[] {
  const open_as = openAs(intent);
  return [
    writeBody(intent),
    dueAt(intent),
    intent.unpaid_due_at,
    open_as,
    open_as && openSince(intent),
  ];
}

/** Selects the intent of an order. */
export const OF_ORDER = `select ${RECORD} from requests
  join intents on intents.intent_id = requests.intent_id where requests.request_id = $1`;
