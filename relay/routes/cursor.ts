/**
 * Cursors of the lists that a shop's backend reads: opaque texts that name a list, the ledger's
 * epoch and a position.
 */
import { z } from 'zod';
import { Failure } from '../contract/failure.js';
import type { Position } from '../ledger/shop-ledger.js';
import { fromOpaque, toOpaque } from '../operator/opaque.js';

/** A list of the events of one intent has a name of its own: it holds a part of all events. */
export type ListName = 'orders' | 'events' | `events of ${string}`;

const content = z.tuple([z.string(), z.string(), z.int(), z.string()]);

export const writeCursor = (list: ListName, epoch: string, { id, number }: Position): string =>
  toOpaque([list, epoch, number, id]);

/**
 * @returns the position, null at the beginning; `isReset` when the cursor is of another epoch
 * @throws Failure `invalid_request`
 */
export function readCursor(
  list: ListName,
  epoch: string,
  cursor: string | undefined,
): { after: Position | null; isReset: boolean } {
  if (cursor === undefined) return { after: null, isReset: false };
  const decoded = fromOpaque(content, cursor);
  if (!decoded) throw refused('not a cursor that this relay gave out, or not all of it');
  const [name, ofEpoch, number, id] = decoded;
  if (name !== list) throw refused(`a cursor of the list of ${name}, not of ${list}`);
  return ofEpoch === epoch
    ? { after: { number, id }, isReset: false }
    : { after: null, isReset: true };
}

const refused = (problem: string): Failure => new Failure('invalid_request', problem, 'cursor');
