/** A webhook signal that comes while the ledger cannot be used. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createShop } from './shop.js';

it('answers 503 to a signal, as on all other paths, when the ledger cannot be used', async () => {
  const kept = memoryLedger();
  let isAway = false;
  const find: typeof kept.find = async (id) => {
    if (isAway) throw new LedgerBusyError('the database is away');
    return kept.find(id);
  };
  const shop = await createShop({ ledger: { ...kept, find } });
  const { body } = await shop.pay('order-001');
  const { fields } = shop.world.sandbox.orders.byRequest(body.order?.request_id ?? '') ?? {};
  const [path = ''] = /\/v1\/notify\/.+$/.exec(fields?.notify_url ?? '') ?? [];
  const signal = (): Promise<Response> =>
    shop.world.relay.fetch(new Request(`https://shop.example${path}`, { method: 'POST' }));
  assert.equal((await signal()).status, 200);
  isAway = true;
  const refused = await signal();
  const { error } = (await refused.json()) as { error: { code: string } };
  assert.deepEqual([refused.status, error.code], [503, 'ledger_unavailable']);
});
