/**
 * Intents that a restored ledger lost with all their orders.
 *
 * An open intent is found when its customer returns, because only the customer's request has its
 * content. A closed intent takes no order, so its content is not needed: it is written with the
 * orders that the service knows. They are then polled, so that the shop learns of their payments.
 */
import { readStatus } from '../config/statuses.js';
import type { IntentMode } from '../contract/order.js';
import { isPageIntent } from '../intent/identity.js';
import type { IntentRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { MAX_ORDERS } from './decide.js';
import { adopted, orderOfEchoes } from './lost-order.js';
import type { ServiceOrder } from './order-event.js';

type Possible = { mode: IntentMode; ordinal: number; request_id: string };
type Found = Possible & { answer: ServiceOrder };

/** All but `possibleOrders` throw Failure `service_unavailable` without a usable answer. */
export type LostIntents = {
  /** Each order that an intent of this id may have had. */
  possibleOrders(intentId: string): Promise<Possible[]>;
  /**
   * Closes intents that the ledger does not have, unless an order of one of them is paid.
   *
   * @param closed the rows to write
   * @returns `unknown` when the service knows no order of them; only `closed` writes anything
   */
  close(closed: readonly IntentRow[]): Promise<'unknown' | 'paid' | 'closed'>;
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
  applyAnswer(requestId: string, answer: ServiceOrder): Promise<unknown>;
};

export function createLostIntents(
  { config, identity, ledger, log, time }: Context,
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

  const find = async (intentId: string): Promise<Found[]> => {
    const possible = await possibleOrders(intentId);
    const withAnswers = await Promise.all(
      possible.map(async (order) => ({ ...order, answer: await ask(order.request_id) })),
    );
    return withAnswers.flatMap(({ answer, ...order }) =>
      answer === null ? [] : [{ ...order, answer }],
    );
  };

  const write = async (closed: IntentRow, found: readonly Found[]): Promise<void> => {
    const { intent_id } = closed;
    for (const { answer, mode, ordinal, request_id } of found) {
      const identity = { intent_id, ordinal, request_id, created_at: time.dateNow() };
      const order = adopted(orderOfEchoes(identity, mode, answer), time.now());
      const { amount, currency } = order;
      if (await ledger.addLostOrder(order, { ...closed, mode, amount, currency }))
        await applyAnswer(request_id, answer);
    }
  };

  return {
    possibleOrders,
    close: async (closed) => {
      const lost: { row: IntentRow; found: Found[] }[] = [];
      // all are searched before one is written: without an answer about one, none is closed
      for (const row of closed) lost.push({ row, found: await find(row.intent_id) });
      const orders = lost.flatMap(({ found }) => found);
      if (orders.length === 0) return 'unknown';
      const paid = orders.find(
        ({ answer }) => readStatus(config.statuses, answer.status, null) === 'succeeded',
      );
      if (!paid) {
        for (const { found, row } of lost) await write(row, found);
        return 'closed';
      }
      const message = 'the ledger was restored and lacks an order that is paid';
      log('error', 'restored', { request_id: paid.request_id, message });
      return 'paid';
    },
    follow: async (closed) => {
      if ((await ledger.ordersOf(closed.intent_id)).length > 0) return false;
      const found = await find(closed.intent_id);
      await write(closed, found);
      return found.length > 0;
    },
  };
}
