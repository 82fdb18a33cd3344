/** Ledgers that are closed after the test that opened them. */
import { afterEach } from 'node:test';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import { openLedger } from '../../../relay/node/open-ledger.js';

/**
 * @returns `openLedger` for the tests of one file. After each test it closes the ledgers that the
 *   test has not closed.
 */
export function closingLedgers(): (...args: Parameters<typeof openLedger>) => Promise<Ledger> {
  const opened = new Set<Ledger>();
  afterEach(async () => {
    for (const ledger of opened) await ledger.close();
  });
  return async (...args) => {
    const ledger = await openLedger(...args);
    const { close } = ledger;
    opened.add(ledger);
    ledger.close = () => {
      opened.delete(ledger);
      return close();
    };
    return ledger;
  };
}
