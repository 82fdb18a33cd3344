/** POST /v1/deposit-address: where a customer may send a crypto deposit. */
import { endpoints } from '../contract/endpoints.js';
import type { DepositAddress } from '../contract/responses.js';
import { depositAddress as find } from '../deposits/deposit-address.js';
import { readBody } from '../gates/json-body.js';
import type { Handler } from './mount.js';

export const depositAddress: Handler<{ deposit_address: DepositAddress }> = async ({ context }, request) => ({
  deposit_address: await find(context, await readBody(request, endpoints.depositAddress.request)),
});
