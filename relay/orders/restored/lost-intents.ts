/**
 * Intents that a restored ledger lost with all their orders.
 *
 * An open intent is found when its customer returns, because only the customer's request has its
 * content. A closed intent takes no order, so its content is not needed: it is written with the
 * orders that the service knows. They are then polled, so that the shop learns of their payments.
 */
import { readStatus } from '../../config/statuses.js';
import type { IntentMode } from '../../contract/order.js';
import { isPageIntent } from '../../intent/identity.js';
import { isWritten } from '../../ledger/ledger.js';
import type { IntentRow, OrderRow } from '../../ledger/rows.js';
import { addingLost } from '../../ledger/rules.js';
import type { Context } from '../context.js';
import { adopted, orderOfEchoes, type Lost } from './lost-order.js';
import type { ServiceOrder } from '../order-event.js';
import { MAX_ORDERS } from '../order-limits.js';

type Possible = { mode: IntentMode; ordinal: number; request_id: string };
/** An intent that the ledger lost, and its orders that the service knows. */
type Found = {
  /** The row to write; with orders it has the mode, amount and currency of the first one. */
  intent: IntentRow;
  orders: readonly Lost[];
};

/** All but `possibleOrders` throw Failure `service_unavailable` without a usable answer. */
export type LostIntents = {
  /** Each order that an intent of this id may have had. */
  possibleOrders(intentId: string): Promise<Possible[]>;
  /**
   * Closes an intent that the ledger does not have, unless one of its orders is paid.
   *
   * @param closed the row to write
   * @returns `unknown` when the service knows no order of it; only `closed` writes anything
   */
  close(closed: IntentRow): Promise<'unknown' | 'paid' | 'closed'>;
  /**
   * Finds and polls the orders of a closed intent when the ledger has none of them. It also finds
   * paid orders, which the shop learns of as late payments.
   *
   * @param closed the row to write unless the ledger has the intent
   * @returns whether the service knows any order of the intent
   */
  follow(closed: IntentRow): Promise<boolean>;
};

type LostIntentsDeps = {
  /** The service's answer about an order; null when it does not know the order. */
  ask(requestId: string): Promise<ServiceOrder | null>;
  applyAnswer(order: OrderRow, answer: ServiceOrder): Promise<unknown>;
};

export function createLostIntents(
  { config, identity, ledger, log, ledgerClock }: Context,
  { applyAnswer, ask }: LostIntentsDeps,
): LostIntents {
  const possibleOrders = async (intentId: string): Promise<Possible[]> => {
    const modes: readonly IntentMode[] = isPageIntent(intentId) ? ['catalogue', 'open'] : ['token'];
    const ordinals = Array.from({ length: MAX_ORDERS }, (_, i) => i + 1);
    const ordinalsOfModes = modes.flatMap((mode) => ordinals.map((ordinal) => ({ mode, ordinal })));
    return Promise.all(
      ordinalsOfModes.map(async ({ mode, ordinal }) => ({
        mode,
        ordinal,
        request_id: await identity.requestId(mode, intentId, ordinal),
      })),
    );
  };

  const search = async (intent: IntentRow): Promise<Found> => {
    const { intent_id } = intent;
    const possible = await possibleOrders(intent_id);
    const found = await Promise.all(
      possible.map(async ({ mode, ordinal, request_id }) => {
        const answer = await ask(request_id);
        if (answer === null) return [];
        const identity = { intent_id, ordinal, request_id, ...ledgerClock.stamp() };
        const order = adopted(orderOfEchoes(identity, mode, answer), ledgerClock.now());
        return [{ answer, mode, order }];
      }),
    );
    const orders = found.flat();
    const [first] = orders;
    if (!first) return { intent, orders };
    const { amount, currency } = first.order;
    return { intent: { ...intent, mode: first.mode, amount, currency }, orders };
  };
  const isPaid = ({ answer, order }: Lost): boolean => {
    if (readStatus(config.statuses, answer.status, null) !== 'succeeded') return false;
    const message = 'the ledger was restored and lacks an order that is paid';
    const { intent_id, request_id } = order;
    log('error', 'restored', { intent_id, request_id, message });
    return true;
  };

  const write = async ({ intent, orders }: Found): Promise<void> => {
    for (const { answer, order } of orders)
      if (
        isWritten(
          await ledger.change(intent.intent_id, addingLost(order, ledgerClock.now(), intent)),
        )
      )
        await applyAnswer(order, answer);
  };

  return {
    possibleOrders,
    close: async (closed) => {
      const found = await search(closed);
      if (found.orders.some(isPaid)) return 'paid';
      if (found.orders.length === 0) return 'unknown';
      await write(found);
      return 'closed';
    },
    follow: async (closed) => {
      if ((await ledger.intent(closed.intent_id))?.orders.length) return false;
      const found = await search(closed);
      await write(found);
      return found.orders.length > 0;
    },
  };
}
