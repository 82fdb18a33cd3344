/** POST /v1/deposit-address: where a customer may send a crypto deposit. */
import { endpoints } from '../contract/endpoints.js';
import type { DepositAddress } from '../contract/responses.js';
import { readBody } from '../http/body.js';
import type { Handler } from './mount.js';

export const depositAddress: Handler<{ deposit_address: DepositAddress }> = async ({
  address: clientAddress,
  findDepositAddress,
  limit,
  request,
  trace,
}) => {
  const body = await readBody(request, endpoints.depositAddress.request);
  // Called only before the service is asked: a deposit address that the ledger has does not count
  // against the limits of new ones.
  const checkRate = async (customerRefId: string): Promise<void> => {
    // first: an address that is over its limit must not use up those of customers it names
    await limit('deposit', clientAddress === undefined ? undefined : `ip ${clientAddress}`);
    await limit('deposit', `customer ${customerRefId}`);
  };
  return { deposit_address: await findDepositAddress(body, checkRate, trace) };
};
