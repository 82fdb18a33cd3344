/** Lists that are read a page at a time, and the opaque texts by which a caller reads on. */
import { base64urlnopad } from '@scure/base';
import { z } from 'zod';
import type { Place } from '../ledger/operator-ledger.js';
import { nextTurn } from '../orders/polling/pacing.js';
import { Refusal } from './refusal.js';

/** Which part of a list a caller reads; `cursor` is of an earlier answer to the same filter. */
export type Page = { readonly cursor?: string | null | undefined; readonly limit: number };

export const toOpaque = (value: readonly unknown[]): string =>
  base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)));

/** @returns null for a text that `toOpaque` did not make, or that was cut */
export function fromOpaque<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(base64urlnopad.decode(text))));
  } catch {
    return null;
  }
}

/** The id of a row in a cursor: PostgreSQL refuses a text with the character U+0000. */
export const cursorId = z.string().regex(/^[^\0]*$/);

const place = z.tuple([z.int(), cursorId]).transform(([at, id]): Place => ({ at, id }));

export const writeCursor = ({ at, id }: Place): string => toOpaque([at, id]);

/** @throws Refusal when the text is no cursor */
export function readCursor({ cursor = null }: Page): Place | null {
  if (cursor === null) return null;
  const found = fromOpaque(place, cursor);
  if (!found) throw new Refusal('the cursor is not one of an earlier answer, or not all of it');
  return found;
}

/**
 * Every row of a list of the ledger.
 *
 * @param read gets the last row that was read, and reads at most `perRead` rows after it
 */
export async function* everyRow<Row>(
  perRead: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < perRead) return;
    // SQLite answers within the same turn: without another one, pays would wait for the whole list
    await nextTurn();
  }
}
