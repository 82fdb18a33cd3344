/** POST /v1/deposit-address: where a customer may send a crypto deposit. */
import { endpoints } from '../contract/endpoints.js';
import type { DepositAddress } from '../contract/responses.js';
import { readBody } from '../http/body.js';
import type { Handler } from './mount.js';

export const depositAddress: Handler<{ deposit_address: DepositAddress }> = async ({
  address,
  findDepositAddress,
  limit,
  request,
}) => {
  const body = await readBody(request, endpoints.depositAddress.request);
  // called only when the service must be asked: a known address does not count against the limits
  const checkRate = async (customerRefId: string): Promise<void> => {
    await limit('deposit', `customer ${customerRefId}`);
    await limit('deposit', address === undefined ? undefined : `ip ${address}`);
  };
  return { deposit_address: await findDepositAddress(body, checkRate) };
};
