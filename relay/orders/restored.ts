/**
 * After a ledger was restored from a backup: the service may know orders that the ledger lost.
 *
 * For a day every new order is asked about before it is placed. What the service knows is kept and
 * watched, and nothing is sent for it.
 */
import { Failure } from '../contract/failure.js';
import type { Claim } from '../ledger/ledger.js';
import type { OrderRow } from '../ledger/rows.js';
import { OrderServiceError } from '../order-service/errors.js';
import type { Context } from './context.js';
import type { ServiceOrder } from './order-state.js';
import { isNotFound } from './order-status.js';
import type { OrderStore } from './order-store.js';

/** Setting of the ledger: when it was restored, by the time in which orders grow old. */
export const RESTORED_AT = 'restored_at';
const ASK_FIRST_MS = 86_400_000;

export type Restored = {
  /**
   * Asks the service whether it knows the order of this claim.
   * @returns the order to show, or null when nothing is known and the order may be placed
   * @throws Failure `service_unavailable` when the service does not say
   */
  adopt(claim: Claim): Promise<OrderRow | null>;
  /** Reads again whether the ledger was restored. */
  refresh(): Promise<void>;
};

export function createRestored(context: Context, store: OrderStore): Restored {
  const { config, ledger, service, time } = context;
  let restoredAt: number | null | undefined;
  const refresh = async (): Promise<void> => {
    const text = await ledger.setting(RESTORED_AT);
    restoredAt = text === null ? null : Number(text);
  };
  const isActive = async (): Promise<boolean> => {
    if (restoredAt === undefined) await refresh();
    return typeof restoredAt === 'number' && time.ageNow() - restoredAt < ASK_FIRST_MS;
  };

  const ask = async (request_id: string): Promise<ServiceOrder | null> => {
    try {
      return await service.query({ request_id });
    } catch (error) {
      if (!(error instanceof OrderServiceError)) throw error;
      if (isNotFound(config, error)) return null;
      throw new Failure(
        'service_unavailable',
        'the ledger was restored, and the order service does not say whether it knows this order; ' +
          'nothing was placed',
      );
    }
  };

  return {
    refresh,
    adopt: async (claim) => {
      if (!(await isActive())) return null;
      const said = await ask(claim.order.request_id);
      if (said === null) return null;
      const at = time.now();
      const order: OrderRow = {
        ...claim.order,
        sending: 'lost',
        outcome: 'confirming',
        lost_at: at,
        // what the lost request carried is not known, so it can never be sent again
        had_customer: true,
        next_action: { kind: 'wait' },
        next_check_at: at,
      };
      const { claimed, order: standing } = await ledger.claimOrder({ ...claim, order });
      if (!claimed) return standing;
      const event = { type: 'query_answered', at, knownAt: null, said } as const;
      return (await store.apply(order.request_id, event)).order;
    },
  };
}
