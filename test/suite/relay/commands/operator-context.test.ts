/** What a command does before it closes an intent. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { closeDeps } from '../../../../relay/commands/operator-context.js';
import { closeById } from '../../../../relay/operator/close.js';
import { codeOf, createRestoredParts, ECHOES } from '../orders/restored/restored-parts.js';

it('refuses to close an intent that an order paid which the restored ledger lacks', async () => {
  const { add, context, idOf, known } = await createRestoredParts(0, ECHOES);
  const { request_id } = await add({ request_id: await idOf(1) });
  known.set(request_id, 11).set(await idOf(2), 20);
  const closing = { id: 'i1', reason: null, by: 'Ann', unused: false };
  assert.equal(await closeById(closeDeps(context), closing).catch(codeOf), 'already_paid');
  const intent = await context.ledger.intent('i1');
  assert.deepEqual([intent?.closed_at, intent?.paid_request_id], [null, await idOf(2)]);
});
