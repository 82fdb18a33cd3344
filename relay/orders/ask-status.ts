/** Asks the order service about one order. */
import type { Config } from '../config/schema.js';
import { traceField, traceOf, type Trace } from '../contract/trace.js';
import { errorForLog, OrderServiceError } from '../order-service/errors.js';
import type { OrderRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import type { OrderEvent } from './order-event.js';

/** Whether the service refused because it has no such order. */
export const isNotFound = ({ service }: Config, { code, kind }: OrderServiceError): boolean =>
  kind === 'refused' && service.not_found_codes.includes(code ?? '');

export type AskContext = Pick<Context, 'config' | 'ledgerClock' | 'log' | 'service'>;

/**
 * Asks for the status of an order.
 *
 * @param order as it is before the query is sent
 * @param given the trace of the request that asks; a query of the schedule has that of the pay
 * @param missed is told why no usable answer came
 * @returns the event of the answer; `query_missed` when no usable answer came
 */
export async function askStatus(
  { config, log, service, ledgerClock }: AskContext,
  order: Pick<OrderRow, 'intent_id' | 'request_id' | 'checked_at' | 'traceparent'>,
  given?: Trace,
  missed: (why: ReturnType<typeof errorForLog>) => void = () => {},
): Promise<OrderEvent> {
  const { checked_at: knownAt, intent_id, request_id } = order;
  const trace = given ?? traceOf(order.traceparent);
  try {
    const answer = await service.queryOrder({ request_id }, undefined, trace);
    return { type: 'query_answered', knownAt, answer, at: ledgerClock.now() };
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    const at = ledgerClock.now();
    if (isNotFound(config, error))
      return { type: 'query_not_found', at, steadyMs: ledgerClock.steadyMs() };
    const why = errorForLog(error, config.service, { customerKnown: false, hide: [] });
    missed(why);
    log('warn', 'query', { intent_id, request_id, ...traceField(trace), ...why });
    return { type: 'query_missed', at };
  }
}
