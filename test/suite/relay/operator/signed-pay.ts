/** Customers who pay by order tokens that a shop's backend signed. */
import assert from 'node:assert/strict';
import type { World } from '../../support/world.js';
import { claims, sign } from '../intent/signed-token.js';

type Refused = { code: string; notice?: Record<string, string> };

export type SignedPay = {
  /**
   * Places an order, and returns its request_id.
   *
   * @param replaces the request_id of the order that it replaces
   */
  (jti: string, customer: string, replaces?: string, option?: string): Promise<string>;
  /** Places an order that is refused, and returns the failure. */
  refused(jti: string, customer: string, option: string): Promise<Refused>;
};

export function signedPay(world: World): SignedPay {
  const keys = new Map<string, string>();
  const place = async (
    jti: string,
    customer_ref_id: string,
    option: string,
    replaces?: string,
  ): ReturnType<World['ask']> =>
    world.ask('/v1/pay', {
      order_token: await sign({ ...claims, jti, customer_ref_id }),
      attempt: crypto.randomUUID(),
      option,
      ...(replaces !== undefined && {
        replaces: { request_id: replaces, order_key: keys.get(replaces) },
      }),
    });
  const pay = async (jti: string, customer: string, replaces?: string, option = 'card') => {
    const { body, status } = await place(jti, customer, option, replaces);
    assert.equal(status, 200, JSON.stringify(body));
    const { order_key = '', request_id = '' } = body.order ?? {};
    keys.set(request_id, order_key);
    return request_id;
  };
  const refused = async (jti: string, customer: string, option: string): Promise<Refused> => {
    const { body } = await place(jti, customer, option);
    assert.ok('error' in body, JSON.stringify(body));
    return body.error as Refused;
  };
  return Object.assign(pay, { refused });
}
