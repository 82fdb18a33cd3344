/**
 * POST /v1/order-tokens: signs an order token for the shop's backend, which has the secret key.
 */
import { endpoints } from '../contract/endpoints.js';
import type { OrderTokenResponse } from '../contract/responses.js';
import { readBody } from '../http/body.js';
import { requireSecretKey } from '../http/auth.js';
import { signOrderToken } from '../intent/sign-order-token.js';
import type { Handler } from './mount.js';

export const orderTokens: Handler<OrderTokenResponse> = async ({
  about,
  context,
  fromBackend,
  request,
}) => {
  requireSecretKey(context.config, fromBackend);
  const body = await readBody(request, endpoints.orderTokens.request);
  if (body.jti !== undefined) about(body.jti);
  const { token, expiresAt } = await signOrderToken(context.config, body, context.clock.now());
  return { order_token: token, expires_at: new Date(expiresAt).toISOString() };
};
