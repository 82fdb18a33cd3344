/** What the shop's database says of an order and its event. */
import { fakeEvent, type FakeEvent } from '../../../relay/testing/index.js';
import { deliver, type Delivery } from '../events-proxy.js';
import { orderOf, type World } from './world.js';

export type Check = { name: string; run(world: World): Promise<string | null> };

/** A new visitor opens the page. @returns the order that the shop has made, and its token */
export async function begin(world: World): Promise<{ id: string; token: string }> {
  const { token } = await world.visit('/tee/');
  if (token === null) throw new Error('the page shows no element');
  return { id: orderOf(token), token };
}

/** The event of a payment of this order, signed by the relay's secret or another one. */
export const paymentOf = (
  id: string,
  options: { secret?: string; at?: number; amount?: string } = {},
): Promise<FakeEvent> => {
  const { amount = '19.90', ...signing } = options;
  return fakeEvent('order.succeeded', { intent_id: id, amount, currency: 'USD' }, signing);
};

export const isPaid = ({ sql }: World, id: string): boolean =>
  sql(`select paid_at is not null from shop_orders where jti = '${id}'`) === '1';

/** The events of payments of this order that the relay has sent. */
export const paymentsSent = ({ proxy }: World, id: string): { id: string; event: Delivery }[] =>
  [...proxy.sent]
    .filter(([, { body }]) => body.includes(id) && body.includes('order.succeeded'))
    .map(([eventId, event]) => ({ id: eventId, event }));

/** @returns null when the order is paid and the shop's code wrote once; else what there is */
export function problemUnlessOnce(world: World, id: string, eventId: string): string | null {
  const heard = world.sql(`select count(*) from heard where event_id = '${eventId}'`);
  const paid = isPaid(world, id);
  return paid && heard === '1' ? null : `paid: ${paid}, written ${heard} times`;
}

/** @returns null when nothing of the event is in the database; else what there is */
export function problemIfWritten(world: World, id: string, eventId: string): string | null {
  const rows = world.sql(`select event_id from heard where event_id in ('${eventId}', 'late');
    select event_id from wp_pay_checkout_events where event_id = '${eventId}'`);
  const paid = isPaid(world, id);
  return paid || rows !== '' ? `paid: ${paid}, rows: ${rows}` : null;
}

/** Delivers an event once more, and compares the answer. */
export async function problemUnlessAnswered(
  { site }: World,
  expected: number,
  event: Delivery,
): Promise<string | null> {
  const status = await deliver(site.hook, event);
  return status === expected ? null : `the answer is ${status}, and not ${expected}`;
}
