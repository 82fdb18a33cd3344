/**
 * Webhook signals of the order service: a call of an order's `notify_url` says that the order may
 * have changed. The relay ignores everything else in the call, and asks the service.
 */
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import { isBeingSent } from '../ledger/open-orders.js';
import type { OrderRow } from '../ledger/rows.js';
import type { Log, Metrics } from '../runtime.js';
import type { SignalCounts } from './signal-counts.js';

export type SignalDeps = {
  capabilities: { verify(purpose: 'notify', id: string, capability: string): Promise<boolean> };
  ledger: Pick<Ledger, 'find'>;
  ledgerClock: Pick<LedgerClock, 'now'>;
  signalCounts: Pick<SignalCounts, 'add'>;
  /** @throws Error when the ledger cannot be written */
  apply(order: OrderRow, event: { type: 'signalled'; at: number }): Promise<unknown>;
  /** Asks the service about the order at once. */
  queryNow(order: OrderRow): Promise<unknown>;
  /** Aborts when the relay stops; from then on the service is not asked. */
  closing: AbortSignal;
  log: Log;
  metrics: Metrics;
};

/**
 * Receives one signal. It does not wait for the answer to the query that the signal causes, so
 * that the signal is acknowledged at once.
 *
 * @param lastPart the last part of the path of `notify_url`
 * @throws Error when the ledger fails; the signal must then not be acknowledged
 */
export type ReceiveSignal = (lastPart: string) => Promise<void>;

/** `<request_id>.<capability>`; a capability is `<kid>.<mac>`. */
const LAST_PART = /^(.+)\.([^.]+\.[^.]+)$/;

export function createSignalReceiver(deps: SignalDeps): ReceiveSignal {
  const { capabilities, closing, ledger, ledgerClock, log, metrics, queryNow } = deps;
  return async (lastPart) => {
    const [, requestId = '', capability = ''] = LAST_PART.exec(lastPart) ?? [];
    let known = false;
    try {
      known = await capabilities.verify('notify', requestId, capability);
    } finally {
      metrics.add('webhook_signals', 1, { known: String(known) });
    }
    if (!known) return;
    const found = await ledger.find(requestId);
    if (!found) {
      // the relay placed this order, and somebody may have paid it
      log('error', 'webhook', {
        intent_id: null,
        request_id: requestId,
        message:
          'the service signals an order that the ledger does not have: a restore lost it, ' +
          'or it was deleted after limits.retention_days',
      });
      return;
    }
    const { order } = found;
    const at = ledgerClock.now();
    deps.signalCounts.add(requestId, { first: at, last: at, count: 1 });
    // no schedule asks about the order: without this write only the query below would, and it may
    // fail, or this process end before it
    if (order.next_check_at === null) await deps.apply(order, { type: 'signalled', at });
    // while a pay is under way, its answer brings the order's state
    if (isBeingSent(order, at) || closing.aborted) return;
    void queryNow(order).catch((error: unknown) =>
      log('error', 'webhook', {
        intent_id: order.intent_id,
        request_id: requestId,
        error: String(error),
      }),
    );
  };
}
