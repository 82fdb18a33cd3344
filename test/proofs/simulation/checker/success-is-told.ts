/**
 * Success is told for every intent that was paid, only for those, and is handled once. An order
 * whose answers contradicted each other goes to a person instead.
 */
import type { BookOrder } from '../service/book.js';
import type { Invariant } from './invariant.js';
import { isTooLate } from './schedule.js';
import type { Delivery } from './facts.js';

/** Whether nothing about the order gave the relay a reason for a review. */
export const isPlain = ({ lies, refused, traits }: BookOrder): boolean =>
  lies === 0 &&
  !refused &&
  traits.echo === 'full' &&
  traits.link !== 'two' &&
  traits.link !== 'other_host';

/** Events that tell the first payment of an intent; of a closed intent it is a late payment. */
const FIRST_PAYMENTS = ['order.succeeded', 'order.late_payment'];
const SUCCESSES = [...FIRST_PAYMENTS, 'order.duplicate_payment'];

export const successIsTold: Invariant = {
  name: 'success is told',
  begin: ({ fail, known, promised, tried }) => {
    /** The identifier of the event that told an intent's success, by epoch and intent. */
    const successOf = new Map<string, string>();
    const sequences = new Map<string, string>();
    const onDelivery = ({ data, id, type }: Delivery): void => {
      const place = `${data.epoch}/${data.intent_id}/${data.sequence}`;
      if ((sequences.get(place) ?? id) !== id) fail(`two events have the place ${place}`);
      sequences.set(place, id);
      if (!SUCCESSES.includes(type)) return;
      const orders = known.book(data.request_id);
      const isPaid = orders.some(({ paidAt }) => paidAt !== null);
      if (!isPaid && known.decision(data.request_id) !== 'succeeded')
        fail(`success was told for ${data.request_id}, which nobody paid`);
      // nothing is delivered for a payment that a person had resolved as failed
      if (!FIRST_PAYMENTS.includes(type) || data.resolved_as === 'failed') return;
      const intent = `${data.epoch}/${data.intent_id}`;
      const before = successOf.get(intent) ?? id;
      if (before !== id) fail(`two events told the success of ${data.intent_id}`);
      successOf.set(intent, id);
    };
    return {
      on: (fact) => {
        if (fact.kind === 'delivery') onDelivery(fact.delivery);
        if (fact.kind === 'page_told' && fact.order.outcome === 'succeeded') {
          const orders = known.book(fact.order.request_id);
          const decided = known.decision(fact.order.request_id) === 'succeeded';
          if (!decided && !orders.some(({ paidAt }) => paidAt !== null))
            fail(`${fact.purchase.id} was shown a success that nobody paid`);
        }
      },
      end: () => {
        for (const order of known.orders()) {
          if (order.paidAt === null || isTooLate(order, known, promised)) continue;
          tried(known.purchaseOfRequest(order.requestId));
          const told = known
            .deliveries(order.requestId)
            .filter(({ answered }) => answered === 'ok')
            .map(({ type }) => type);
          const isSuccess = told.some((type) => SUCCESSES.includes(type));
          const isReview = told.includes('order.review');
          if (!isSuccess && !isReview) fail(`nobody was told that ${order.requestId} is paid`);
          else if (!isSuccess && isPlain(order))
            fail(`${order.requestId} is paid, and no success was told`);
        }
      },
    };
  },
};
