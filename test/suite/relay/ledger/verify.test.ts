/** The check of a ledger file, which names damage and rows that contradict each other. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { claimOrder } from '../../support/ledger-calls.js';

const folder = temporaryFolder('verify');

let files = 0;
/** A closed ledger file with the orders `a` and `b`. */
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
  await ledger.close();
  return file;
};
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
