/** Compares the orders at the service with the orders of the customers and of the ledger. */
import type { Ledger } from '../../relay/ledger/ledger.js';
import { identityOn } from '../suite/support/world.js';
import { getJson } from './processes.js';
import { findOrder } from '../suite/support/ledger-calls.js';

export type Ids = { request_id: string; intent_id: string };
/** The order that a customer received for an attempt. */
export type Answered = Ids & { attempt: string };

export async function filter<T>(
  from: readonly T[],
  holds: (item: T) => Promise<boolean>,
): Promise<T[]> {
  const found: T[] = [];
  for (const item of from) if (await holds(item)) found.push(item);
  return found;
}

/** The ids of the orders that the service has; an order that was placed twice is in it twice. */
export const orderIdsAtService = async (sandboxUrl: string): Promise<string[]> =>
  (await getJson<{ request_id: string }[]>(`${sandboxUrl}/control/orders`)).map(
    ({ request_id }) => request_id,
  );

/** The request_ids of the pay requests that the service received, the earliest first. */
export async function paysSent(sandboxUrl: string): Promise<string[]> {
  const calls = await getJson<{ operation: string; body: { request_id: string } }[]>(
    `${sandboxUrl}/control/calls`,
  );
  return calls.filter(({ operation }) => operation === 'pay').map(({ body }) => body.request_id);
}

export const repetitions = (ids: readonly string[]): number => ids.length - new Set(ids).size;

/** Whether the ledger lacks an order that the service has, or lacks its number or status. */
export const isLost =
  (ledger: Ledger) =>
  async (requestId: string): Promise<boolean> => {
    const row = await findOrder(ledger, requestId);
    return !row || row.order_no === null || row.status === null;
  };

/** How many customers received an order of another intent than their own, or share an order. */
export async function countMisattributed(
  ledger: Ledger,
  answered: readonly Answered[],
): Promise<number> {
  const { intentIdOf } = identityOn(ledger);
  const wrong = await filter(answered, async ({ attempt, intent_id, request_id }) => {
    const row = await findOrder(ledger, request_id);
    return row?.intent_id !== intent_id || (await intentIdOf(attempt)) !== intent_id;
  });
  return wrong.length + repetitions(answered.map(({ request_id }) => request_id));
}
