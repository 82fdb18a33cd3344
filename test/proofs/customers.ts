/** Customers of a shop who pay without a browser: by the relay's API, and the sandbox's phone. */
import { z } from 'zod';
import type { TestCheckout } from '../../relay/testing/index.js';
import { until } from '../suite/support/wait.js';

const CONFIRM_MS = 60_000;

const placed = z.object({ order: z.object({ request_id: z.string(), order_key: z.string() }) });
type Placed = z.infer<typeof placed>['order'];

export type Customers = {
  /** Chooses a way to pay, as the element does; a second way replaces the order of the first. */
  choose(orderToken: string, option?: 'sbp' | 'card', replaces?: Placed): Promise<Placed>;
  /** The customer confirms on the phone. */
  confirm(order: Placed): Promise<void>;
};

/** @param origin of the shop's page */
export function createCustomers(checkout: TestCheckout, origin: string): Customers {
  const post = async (url: string, body: object): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${answer}`);
    return JSON.parse(answer);
  };
  return {
    choose: async (order_token, option = 'sbp', replaces) => {
      const attempt = crypto.randomUUID();
      const pay = { order_token, option, attempt, ...(replaces && { replaces }) };
      return placed.parse(await post(`${checkout.relay}/v1/pay`, pay)).order;
    },
    confirm: ({ request_id }) =>
      // on a busy machine the relay answers before the order has reached the sandbox
      until(
        () =>
          post(`${checkout.sandbox_url}/control/orders/${request_id}`, { action: 'confirm' }).then(
            () => true,
            () => false,
          ),
        `${request_id} to be paid`,
        CONFIRM_MS,
      ),
  };
}
