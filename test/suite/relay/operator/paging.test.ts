/** The cursors of lists that an operator reads a page at a time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCursor, toOpaque, writeCursor } from '../../../../relay/operator/paging.js';
import { Refusal } from '../../../../relay/operator/refusal.js';

it('reads its own cursor, and refuses one whose id PostgreSQL cannot compare', () => {
  const place = { at: 7, id: 'i1' };
  assert.deepEqual(readCursor({ cursor: writeCursor(place), limit: 1 }), place);
  assert.throws(() => readCursor({ cursor: toOpaque([7, 'i\0']), limit: 1 }), Refusal);
});
