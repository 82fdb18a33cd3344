/**
 * Webhook signals of the order service: a call of an order's `notify_url` says that the order may
 * have changed. The relay ignores everything else in the call, and asks the service.
 */
import type { OrderRow } from '../ledger/rows.js';
import type { Log, Metrics } from '../runtime.js';

export type SignalDeps = {
  /** Whether the relay made this `notify` capability for this order. */
  verify(requestId: string, capability: string): Promise<boolean>;
  findOrder(requestId: string): Promise<OrderRow | null>;
  /** Counts a signal, which the next query of the order writes to the ledger. */
  noteSignal(requestId: string): void;
  /**
   * Writes that the order is due, so that the signal outlives this process and a query that fails.
   *
   * @throws Error when the ledger cannot be written
   */
  followAgain(order: OrderRow): Promise<unknown>;
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
  const { closing, findOrder, followAgain, log, metrics, noteSignal, queryNow, verify } = deps;
  return async (lastPart) => {
    const [, requestId = '', capability = ''] = LAST_PART.exec(lastPart) ?? [];
    let known = false;
    try {
      known = await verify(requestId, capability);
    } finally {
      metrics.add('webhook_signals', 1, { known: String(known) });
    }
    if (!known) return;
    const order = await findOrder(requestId);
    if (!order) {
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
    noteSignal(requestId);
    // no schedule asks about the order, so without this write only the query below would
    if (order.next_check_at === null) await followAgain(order);
    // while a pay is under way, its answer brings the order's state
    if (order.sending === 'claimed' || closing.aborted) return;
    void queryNow(order).catch((error: unknown) =>
      log('error', 'webhook', {
        intent_id: order.intent_id,
        request_id: requestId,
        error: String(error),
      }),
    );
  };
}
