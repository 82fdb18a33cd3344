/** The check of a ledger file, which names damage and rows that contradict each other. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { claimOrder, replaceOrder } from '../../support/ledger-calls.js';

const folder = temporaryFolder('verify');

let files = 0;
/** A closed ledger file with the orders `a` and `b`, and the second order of `a`. */
const written = async (): Promise<string> => {
  const file = join(folder, `${files++}.db`);
  const ledger = await openLedger(`sqlite:${file}`);
  for (const id of ['a', 'b']) {
    const ids = { intent_id: id, request_id: id };
    await claimOrder(ledger, {
      intent: { ...freshIntent, intent_id: id },
      order: { ...fresh, ...ids },
      after: null,
    });
  }
  const second = { ...fresh, intent_id: 'a', request_id: 'a.2', ordinal: 2, order_no: 'n2' };
  const opened = { ...freshIntent, intent_id: 'a' };
  const first = { ...fresh, intent_id: 'a', request_id: 'a', order_no: 'n1', version: 2 };
  await replaceOrder(ledger, first);
  await claimOrder(ledger, { intent: opened, order: second, after: 'a' });
  await ledger.close();
  return file;
};
const wrong = (column: string): string => `intent whose ${column} contradicts its body: a`;
const verified = async (file: string): Promise<string[]> => {
  const ledger = await openLedger(`sqlite:${file}`);
  try {
    return await ledger.verify();
  } finally {
    await ledger.close();
  }
};

describe('the check of a ledger file', () => {
  it('finds nothing in a whole file', async () => {
    assert.deepEqual(await verified(await written()), []);
  });

  it('finds nothing while a relay has leased the orders', async () => {
    const file = await written();
    const ledger = await openLedger(`sqlite:${file}`);
    const due = fresh.next_check_at ?? 0;
    assert.equal((await ledger.leaseDueOrders(due + 1, due + 1000, 9)).length, 3);
    await ledger.close();
    assert.deepEqual(await verified(file), []);
  });

  for (const [change, found] of [
    ["delete from intents where intent_id = 'b'", ['order without its intent: b']],
    [
      "update intents set body = json_remove(body, '$.orders') where intent_id = 'b'",
      ['intent whose current order is missing: b'],
    ],
    [
      "update intents set body = json_set(body, '$.paid_request_id', 'a') where intent_id = 'a'",
      ['intent whose paying order is missing or did not succeed: a'],
    ],
    [
      "update intents set body = json_set(body, '$.orders[0].outcome', 'succeeded')",
      [
        'intent that is not paid, with an order that succeeded: a',
        'intent that is not paid, with an order that succeeded: b',
      ],
    ],
    ["update intents set body = '{}' where intent_id = 'a'", ['intent that cannot be read: a']],
    ["update intents set due_at = null where intent_id = 'a'", [wrong('due_at')]],
    ["update intents set due_at = due_at + 1 where intent_id = 'a'", [wrong('due_at')]],
    ["update intents set due_at = null, leased_at = 5 where intent_id = 'a'", [wrong('due_at')]],
    ["update intents set unpaid_due_at = 5 where intent_id = 'a'", [wrong('unpaid_due_at')]],
    ["update intents set open_as = null where intent_id = 'a'", [wrong('open_as')]],
    ["update intents set open_since = 5 where intent_id = 'a'", [wrong('open_since')]],
    ["update intents set created_at = 5 where intent_id = 'a'", [wrong('created_at')]],
    [
      "delete from requests where request_id = 'a'",
      ['order that is not found by its request_id: a'],
    ],
    [
      "update requests set intent_id = 'a' where request_id = 'b'",
      ['order that is not found by its request_id: b'],
    ],
    [
      "delete from lookups where kind = 'order_no' and text = 'n2'",
      ['intent that is not found by its order_no: a'],
    ],
    [
      "delete from lookups where kind = 'customer_ref_id' and intent_id = 'b'",
      ['intent that is not found by its customer_ref_id: b'],
    ],
  ] as const)
    it(`names each row that contradicts others after "${change}"`, async () => {
      const file = await written();
      const other = new DatabaseSync(file);
      other.exec(change);
      other.close();
      assert.deepEqual(await verified(file), found);
    });

  it('reports a damaged file', async () => {
    const file = await written();
    const bytes = readFileSync(file);
    // the number of free pages, of which the file has none
    bytes.writeUInt32BE(bytes.readUInt32BE(36) + 5, 36);
    writeFileSync(file, bytes);
    const [first, ...others] = await verified(file);
    assert.match(String(first), /free/i);
    assert.deepEqual(others, []);
  });
});
