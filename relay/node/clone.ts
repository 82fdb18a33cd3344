/**
 * A relay that only reads a clone of a ledger. The real relay goes on with the same orders, so a
 * pay, a query or an event of the clone would be a second one.
 */
import { BACKUP_AT } from '../bind-ledger.js';
import type { Ledger } from '../ledger/ledger.js';
import { OrderServiceError } from '../order-service/errors.js';
import type { Log } from '../runtime.js';
import type { HttpClients } from './http-clients.js';

const REASON = 'this relay was started with --not-restored: nothing leaves it';

export const noClients: HttpClients = {
  send: () => Promise.reject(new OrderServiceError('unreachable', REASON, { isOwn: true })),
  fetch: () => Promise.reject(new Error(REASON)),
  close: async () => {},
};

/** @throws Error when the ledger is not a copy: its orders would no longer be followed */
export async function requireCopy(ledger: Ledger, log: Log): Promise<void> {
  if (!(await ledger.setting(BACKUP_AT)))
    throw new Error('--not-restored: the ledger is not a copy that "ledger backup" made');
  log('warn', 'ledger', {
    message: 'started with --not-restored: nothing is sent to the order service or to the shop',
  });
}
