/** The order parts on a restored ledger, with a service that knows the orders that a test names. */
import assert from 'node:assert/strict';
import { Failure } from '../../../../../relay/contract/failure.js';
import type { IntentMode } from '../../../../../relay/contract/order.js';
import { createRestored, type Restored } from '../../../../../relay/orders/restored/restored.js';
import { markRestored } from '../../../support/ledger-calls.js';
import { createParts, refusing, type Parts } from '../parts.js';

export type RestoredParts = Parts & {
  restored: Restored;
  /** The status of each order that the service knows. */
  known: Map<string, number>;
  /** The request_id of an order; of intent `i1` when none is named. */
  idOf(ordinal: number, intentId?: string, mode?: IntentMode): Promise<string>;
};
export const DAY_MS = 86_400_000;

/** The echoes of an order like `fresh`; without them a payment is in review. */
export const ECHOES = { currency: 'USD', order_amount: '12.50' };

/**
 * @param agoMs time since the restore of the ledger; null when it was never restored
 * @param echoes the echoes in each of the service's answers
 */
export async function createRestoredParts(
  agoMs: number | null = 0,
  echoes: Partial<typeof ECHOES> = {},
): Promise<RestoredParts> {
  const parts = await createParts();
  if (agoMs !== null) await markRestored(parts.context.ledger, parts.clock.now() - agoMs);
  const known = new Map<string, number>();
  parts.service.query = async ({ request_id }) => {
    const status = known.get(request_id);
    if (status === undefined) return refusing('4040')();
    return { status, request_id, ...echoes };
  };
  return {
    ...parts,
    known,
    restored: createRestored(parts.context, parts.store),
    idOf: (ordinal, intentId = 'i1', mode = 'open') =>
      parts.context.identity.requestId(mode, intentId, ordinal),
  };
}

export const codeOf = (error: unknown): unknown => {
  assert.ok(error instanceof Failure);
  return error.code;
};
