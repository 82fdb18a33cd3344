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

/**
 * Both ask the service whether it knows the order. They return the order to show, or null when
 * nothing is known and the order may be placed, and throw Failure `service_unavailable` when the
 * service does not say.
 */
export type Restored = {
  /** Of an order that the ledger does not have yet. */
  adopt(claim: Claim): Promise<OrderRow | null>;
  /** Of an order that was never sent, by what the ledger knows. */
  adoptUnsent(unsent: OrderRow): Promise<OrderRow | null>;
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
        'the ledger was restored, and the order service does not say whether it knows the order; ' +
          'nothing was placed',
      );
    }
  };

  /** Watched from now on, and never sent: what the lost request carried is not known. */
  const lost = (order: OrderRow, at: number): OrderRow => ({
    ...order,
    sending: 'lost',
    outcome: 'confirming',
    lost_at: at,
    had_customer: true,
    next_action: { kind: 'wait' },
    next_check_at: at,
  });
  const settle = async (requestId: string, said: ServiceOrder): Promise<OrderRow> => {
    const event = { type: 'query_answered', at: time.now(), knownAt: null, said } as const;
    return (await store.apply(requestId, event)).order;
  };

  return {
    refresh,
    adopt: async (claim) => {
      if (!(await isActive())) return null;
      const { request_id } = claim.order;
      const said = await ask(request_id);
      if (said === null) return null;
      const order = lost(claim.order, time.now());
      const { claimed, order: standing } = await ledger.claimOrder({ ...claim, order });
      return claimed ? settle(request_id, said) : standing;
    },
    adoptUnsent: async (unsent) => {
      if (!(await isActive())) return null;
      const said = await ask(unsent.request_id);
      if (said === null) return null;
      await ledger.replaceOrder(lost({ ...unsent, version: unsent.version + 1 }, time.now()));
      return settle(unsent.request_id, said);
    },
  };
}
