/** What the log and the page are told of a request that failed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LedgerBusyError, LedgerLostError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createWorld, openIntent } from '../../support/world.js';

const CAUSE = 'connect ECONNREFUSED 10.0.0.7:5432';

describe('a request that fails because of the ledger', () => {
  /** Pays while no change can be written. */
  const payWith = async (error: Error) => {
    const world = createWorld({
      ledger: { ...memoryLedger(), change: async () => Promise.reject(error) },
    });
    const attempt = crypto.randomUUID();
    const { body, status } = await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
    return { body, status, lines: world.log.map(({ fields }) => fields) };
  };

  for (const [what, error, code] of [
    ['is lost', new LedgerLostError(CAUSE, { cause: new Error(CAUSE) }), 'ledger_unavailable'],
    ['is busy', new LedgerBusyError('locked', { cause: new Error(CAUSE) }), 'service_unavailable'],
  ] as const)
    it(`logs the cause with its reference, and answers without it, when it ${what}`, async () => {
      const { body, lines, status } = await payWith(error);
      const failure = body.error as unknown as { code: string; reference: string };
      assert.deepEqual([status, failure.code], [503, code]);
      const line = lines.find((each) => each.reference === failure.reference);
      assert.match(String(line?.cause), new RegExp(`^${error.name}: .*; Error: ${CAUSE}$`));
      assert.doesNotMatch(JSON.stringify(body), /ECONNREFUSED/);
    });
});
