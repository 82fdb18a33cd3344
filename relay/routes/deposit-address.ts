/** POST /v1/deposit-address: where a customer may send a crypto deposit. */
import { endpoints } from '../contract/endpoints.js';
import type { DepositAddress } from '../contract/responses.js';
import { readBody } from '../gates/json-body.js';
import type { Handler } from './mount.js';

export const depositAddress: Handler<{ deposit_address: DepositAddress }> = async ({ findDepositAddress }, request) => ({
  deposit_address: await findDepositAddress(await readBody(request, endpoints.depositAddress.request)),
});
