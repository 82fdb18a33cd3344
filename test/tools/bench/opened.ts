/** Orders that pages wait for. */
import { each } from '../../proofs/proof.js';
import { CONCURRENT_REQUESTS, createLoad, orderToken } from './load.js';

export type Opened = { request_id: string; order_key: string };

export async function placeOrders(url: string, count: number): Promise<Opened[]> {
  const load = createLoad(url);
  const opened: Opened[] = [];
  await each(count, CONCURRENT_REQUESTS, async () => {
    const order_token = orderToken(crypto.randomUUID());
    const body = { order_token, option: 'qr', attempt: crypto.randomUUID() };
    const { order } = (await load.post('/v1/pay', body)) as { order: Opened };
    opened.push({ request_id: order.request_id, order_key: order.order_key });
  });
  await load.close();
  return opened;
}
