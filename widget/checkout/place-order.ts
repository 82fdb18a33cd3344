/** Places an order, and tries again when the relay cannot be reached. */
import type { Order } from '../../relay/contract/order.js';
import type { Page } from '../browser/page.js';
import { timing } from '../timing.js';
import type { ProblemCode } from '../problem.js';
import { RelayFailure } from '../relay-client.js';
import { pause } from './pause.js';

/** The waits before each further try. */
const PAUSES_MS = [2000, 4000, 8000];
/** A customer is not left waiting for tries that each take long to fail. */
const MAX_TRYING_MS = 30_000;

/** The relay was not reached, or could do nothing. The codes of its answers with 503 are here. */
const PASSING: readonly ProblemCode[] = [
  'relay_unreachable',
  'service_unreachable',
  'service_unavailable',
  'ledger_unavailable',
];

/**
 * @param pay sends the same attempt each time, for which the relay places one order only
 * @throws RelayFailure when the last try fails, or the failure would not pass
 */
export async function placeOrder(
  pay: () => Promise<Order>,
  page: Page,
  signal: AbortSignal,
): Promise<Order> {
  const startedAtMs = timing.nowMs();
  for (const pauseMs of PAUSES_MS) {
    try {
      return await pay();
    } catch (error) {
      const isPassing = error instanceof RelayFailure && PASSING.includes(error.code);
      if (!isPassing || timing.nowMs() - startedAtMs > MAX_TRYING_MS) throw error;
    }
    await pause(page, signal, pauseMs);
    signal.throwIfAborted();
  }
  return pay();
}
