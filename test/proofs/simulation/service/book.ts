/** The service's book: the orders that it received, and their payments. The checker trusts it. */
import type { FaultName } from '../faults/names.js';

/** How the service answers about one order. The service's document allows every value. */
export type Traits = {
  echo: 'full' | 'absent' | 'absent_in_query' | 'wrong';
  status: 'plain' | 'text' | 'odd_first' | 'unmapped_for_a_while' | 'paid_at_once';
  link: 'one' | 'none' | 'two' | 'other_host';
  /**
   * What happens with a code after its time; only codes of the option `qr` have one. `silent`: it
   * is no longer taken, and the status stays as it was.
   */
  expiry: 'never' | 'silent' | 'refuses_later' | 'takes_later';
};

export type BookOrder = {
  /** A payout has its own request_id; no relay sends one. */
  readonly kind: 'payment' | 'payout';
  readonly orderNo: string;
  readonly requestId: string;
  /** The shop whose relay sent the pay; null for orders of the partner's other shops. */
  readonly shop: string | null;
  readonly customerRefId: string;
  readonly productName: string;
  readonly amount: string;
  readonly currency: string;
  readonly channel: string;
  readonly notifyUrl: string | null;
  readonly receivedAt: number;
  /** When the code stops to be payable; null: never. */
  readonly expiresAt: number | null;
  readonly traits: Traits;
  /** The pay was refused although this order was made. */
  readonly refused: boolean;
  status: number;
  /** The status before the last change, and when that was. */
  before: { status: number; changedAt: number };
  paidAt: number | null;
  /** When an answer first told a relay, in full, that the order is paid. */
  paidAnswerAt: number | null;
  /** Queries since the payment that were lost, or whose answer did not tell the payment. */
  uselessAnswers: number;
  /** How often the order was told with wrong fields. */
  lies: number;
  /** Amounts and currencies that answers told of this order, whether right or wrong. */
  readonly echoed: { readonly amounts: Set<string>; readonly currencies: Set<string> };
  /** Statuses that answers told of this order, whether right or wrong. */
  readonly statuses: Set<number>;
  readonly touched: Set<FaultName>;
};

export type Book = {
  add(order: BookOrder): void;
  /** The service does not deduplicate: one request_id may have several orders. */
  byRequest(requestId: string): readonly BookOrder[];
  byNumber(orderNo: string): BookOrder | undefined;
  foreign(): readonly BookOrder[];
  ofShops(): readonly BookOrder[];
};

export function createBook(): Book {
  const byRequest = new Map<string, BookOrder[]>();
  const byNumber = new Map<string, BookOrder>();
  const foreign: BookOrder[] = [];
  const ofShops: BookOrder[] = [];
  return {
    add: (order) => {
      byRequest.set(order.requestId, [...(byRequest.get(order.requestId) ?? []), order]);
      byNumber.set(order.orderNo, order);
      (order.shop === null ? foreign : ofShops).push(order);
    },
    byRequest: (requestId) => byRequest.get(requestId) ?? [],
    byNumber: (orderNo) => byNumber.get(orderNo),
    foreign: () => foreign,
    ofShops: () => ofShops,
  };
}
