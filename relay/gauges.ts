/** The operator's gauges. Those of the ledger are right after a restart too. */
import type { Context } from './orders/context.js';
import type { LongPoll } from './orders/polling/long-poll.js';

/** Names of the gauges, without the prefix of the metrics. */
export type Gauge =
  | 'breaker_open'
  | 'queries_per_second'
  | 'queries_queued'
  | 'outbox_waiting'
  | 'outbox_lag_seconds'
  | 'lists_held_back_seconds';

export async function readGauges(
  { breaker, ledger, time }: Pick<Context, 'breaker' | 'ledger' | 'time'>,
  { perSecond, queued }: Pick<LongPoll, 'queued'> & { perSecond: () => number },
): Promise<Record<Gauge, number>> {
  const [{ oldest, waiting }, heldBack] = await Promise.all([ledger.outbox(), ledger.heldBack()]);
  return {
    breaker_open: Number(breaker.isOpen()),
    queries_per_second: perSecond(),
    queries_queued: queued(),
    outbox_waiting: waiting,
    outbox_lag_seconds: oldest === null ? 0 : (time.now() - oldest) / 1000,
    lists_held_back_seconds: (heldBack?.ms ?? 0) / 1000,
  };
}
