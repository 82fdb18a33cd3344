/** POST /v1/pay-links and /v1/pay-links/revoke, for the shop's backend with its secret key. */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { PayLinkResponse, RevokePayLinkResponse } from '../contract/pay-links.js';
import { requireSecretKey } from '../http/auth.js';
import { readBody } from '../http/body.js';
import { createPayLink } from '../pay-links/create-pay-link.js';
import type { Handler } from './mount.js';

export const payLinks: Handler<PayLinkResponse> = async ({
  about,
  context,
  fromBackend,
  request,
}) => {
  requireSecretKey(context.config, fromBackend);
  const body = await readBody(request, endpoints.payLinks.request);
  if (body.jti !== undefined) about(body.jti);
  return createPayLink(context, body);
};

export const revokePayLink: Handler<RevokePayLinkResponse> = async ({
  context,
  fromBackend,
  request,
}) => {
  requireSecretKey(context.config, fromBackend);
  const { pay_link_id } = await readBody(request, endpoints.revokePayLink.request);
  const at = await context.ledger.revokePayLink(pay_link_id, context.ledgerClock.now());
  if (at === null) throw new Failure('not_found', 'no such pay link', 'pay_link_id');
  return { pay_link_id, revoked_at: new Date(at).toISOString() };
};
