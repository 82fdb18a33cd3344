/** The record of the handled events, in the database of Vendure. */
import {
  Payment,
  type RequestContext,
  type RequestContextService,
  type TransactionalConnection,
} from '@vendure/core';
import { createLimits, type EventStore } from 'pay-checkout/shop';
import { PayCheckoutEvent } from './entities.js';

/** `tx` of a handler is a context of Vendure, whose writes are in the transaction. */
export function eventStore(
  connection: TransactionalConnection,
  contexts: RequestContextService,
): EventStore<RequestContext> {
  const { inTurn } = createLimits();
  const events = (tx: RequestContext) => connection.getRepository(tx, PayCheckoutEvent);
  /** One lock for all payments of an order, because only one of them may settle it. */
  const lockOf = async (intent_id: string): Promise<string> => {
    // Outside of the transaction: MySQL shows a transaction what was there at its first read, so
    // this one must not read before it has the lock.
    const payment = await connection.rawConnection.getRepository(Payment).findOne({
      where: { transactionId: intent_id },
      relations: { order: true },
    });
    return payment ? `order ${payment.order.id}` : `intent ${intent_id}`;
  };
  return {
    transaction: (run) =>
      inTurn(async () =>
        connection.withTransaction(await contexts.create({ apiType: 'admin' }), run),
      ),
    add: async (tx, event) => {
      const { intent_id } = event;
      const lock = { event_id: await lockOf(intent_id), intent_id, epoch: '', sequence: 0 };
      await events(tx).upsert(lock, ['event_id']);
      // the row above is locked, so no other transaction adds this event meanwhile
      if (await events(tx).existsBy({ event_id: event.event_id })) return false;
      await events(tx).insert(event);
      return true;
    },
    lastSequence: async (tx, { epoch, intent_id }) =>
      (await events(tx).maximum('sequence', { epoch, intent_id })) ?? 0,
    isAdded: (tx, event_id) => events(tx).existsBy({ event_id }),
  };
}
