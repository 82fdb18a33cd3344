/**
 * After a ledger was restored from a backup, the service may know orders that the ledger lost.
 *
 * For a day the relay asks the service about each new order before it places it. An order that the
 * service knows is adopted: it is written to the ledger and polled, and nothing is sent for it.
 */
import { Failure } from '../contract/failure.js';
import type { IntentMode } from '../contract/order.js';
import { isPageIntent } from '../intent/identity.js';
import type { Claim } from '../ledger/ledger.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { OrderServiceError } from '../order-service/errors.js';
import { isNotFound } from './ask-status.js';
import type { Context } from './context.js';
import { MAX_ORDERS } from './decide.js';
import type { ServiceOrder } from './order-event.js';
import type { OrderStore } from './order-store.js';

/** The ledger's setting with the time of its restore, in the time that orders age by. */
export const RESTORED_AT = 'restored_at';
const ASK_FIRST_MS = 86_400_000;

/**
 * Each function but `refresh` asks the service whether it knows an order. Those that adopt return
 * the order to show, or null when the service does not know it and it may be placed.
 *
 * All throw Failure `service_unavailable` when the service gives no usable answer.
 */
export type Restored = {
  /** Asks about an order that the ledger does not have yet. */
  adopt(claim: Claim): Promise<OrderRow | null>;
  /** Asks about an order that was never sent, according to the ledger. */
  adoptUnsent(unsent: OrderRow): Promise<OrderRow | null>;
  /** Asks about an order that replaced the intent's last one, and that the ledger lost. */
  adoptNext(intent: IntentRow, orders: readonly OrderRow[]): Promise<OrderRow | null>;
  /**
   * Asks about an order whose intent the ledger does not have either. It cannot be adopted before
   * its customer returns, and the answer "no such order" would be wrong.
   *
   * @throws Failure `service_unavailable` when the service knows it
   */
  refuseLost(requestId: string): Promise<void>;
  /** Does what `refuseLost` does, for each order that the intent may have had. */
  refuseLostIntent(intentId: string): Promise<void>;
  /** Reads from the ledger again whether it was restored. */
  refresh(): Promise<void>;
};

export function createRestored(context: Context, store: OrderStore): Restored {
  const { config, identity, ledger, log, service, time } = context;
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

  const refuseLost = async (request_id: string): Promise<void> => {
    if (!(await isActive()) || (await ask(request_id)) === null) return;
    const message = 'the ledger was restored and lacks an order that the order service knows';
    log('error', 'restored', { request_id, message });
    throw new Failure('service_unavailable', `${message}; it is found when its customer returns`);
  };

  /** An adopted order is polled and never sent: the content of its lost request is not known. */
  const adopted = (order: OrderRow, at: number): OrderRow => ({
    ...order,
    sending: 'lost',
    outcome: 'confirming',
    lost_at: at,
    had_customer: true,
    next_action: { kind: 'wait' },
    next_check_at: at,
  });
  const applyAnswer = async (requestId: string, answer: ServiceOrder): Promise<OrderRow> => {
    const event = { type: 'query_answered', at: time.now(), knownAt: null, answer } as const;
    return (await store.apply(requestId, event)).order;
  };

  const adopt = async (claim: Claim): Promise<OrderRow | null> => {
    if (!(await isActive())) return null;
    const { request_id } = claim.order;
    const answer = await ask(request_id);
    if (answer === null) return null;
    const order = adopted(claim.order, time.now());
    const { claimed, order: present } = await ledger.claimOrder({ ...claim, order });
    return claimed ? applyAnswer(request_id, answer) : present;
  };

  return {
    refresh,
    adopt,
    adoptNext: async (intent, orders) => {
      const last = orders.at(-1);
      if (!last || orders.length >= MAX_ORDERS || !(await isActive())) return null;
      const ordinal = orders.length + 1;
      const request_id = await identity.requestId(intent.mode, intent.intent_id, ordinal);
      const order = successorOf(last, { request_id, ordinal, created_at: time.now() });
      return adopt({ intent, order, after: last.request_id });
    },
    refuseLost,
    refuseLostIntent: async (intentId) => {
      if (!(await isActive())) return;
      const modes: readonly IntentMode[] = isPageIntent(intentId)
        ? ['catalogue', 'open']
        : ['token'];
      for (const mode of modes)
        for (let ordinal = 1; ordinal <= MAX_ORDERS; ordinal++)
          await refuseLost(await identity.requestId(mode, intentId, ordinal));
    },
    adoptUnsent: async (unsent) => {
      if (!(await isActive())) return null;
      const answer = await ask(unsent.request_id);
      if (answer === null) return null;
      const row = adopted({ ...unsent, version: unsent.version + 1 }, time.now());
      // another relay has claimed the order since, and the answer to its pay decides
      if (!(await ledger.replaceOrder(row))) return ledger.order(unsent.request_id);
      return applyAnswer(unsent.request_id, answer);
    },
  };
}

/**
 * The order that replaced `last`, as far as it is known. Its option is not known, so it keeps the
 * option of `last`. If its amount was another one, the echo differs and the order goes to review.
 */
const successorOf = (
  last: OrderRow,
  place: Pick<OrderRow, 'request_id' | 'ordinal' | 'created_at'>,
): OrderRow => ({
  ...last,
  ...place,
  order_no: null,
  first_status: null,
  status: null,
  review_reason: null,
  resolved_as: null,
  echoed_amount: null,
  echoed_currency: null,
  late: false,
  checked_at: null,
  expires_at: null,
  version: 1,
});
