/** What the shop's backend does with its secret key: it signs tokens, makes links, and closes. */
import { Failure } from '../contract/failure.js';
import { signOrderToken } from '../intent/sign-order-token.js';
import { close as closeIntent } from '../operator/close.js';
import { createPayLink } from '../pay-links/create-pay-link.js';
import type { BackendHandler } from './mount.js';

export const orderTokens: BackendHandler<'orderTokens'> = async ({ about, context }, body) => {
  if (body.jti !== undefined) about(body.jti);
  const { token, expiresAt } = await signOrderToken(context.config, body, context.clock.now());
  return { order_token: token, expires_at: new Date(expiresAt).toISOString() };
};

export const payLinks: BackendHandler<'payLinks'> = async ({ about, context }, body) => {
  if (body.jti !== undefined) about(body.jti);
  return createPayLink(context, body);
};

export const revokePayLink: BackendHandler<'revokePayLink'> = async (
  { context },
  { pay_link_id },
) => {
  const at = await context.ledger.revokePayLink(pay_link_id, context.ledgerClock.now());
  if (at === null) throw new Failure('not_found', 'no such pay link', 'pay_link_id');
  return { pay_link_id, revoked_at: new Date(at).toISOString() };
};

/** The intent takes no more orders. */
export const close: BackendHandler<'close'> = async (call, { intent_id, reason = null }) => {
  call.about(intent_id);
  // the shop makes the ids, and may close a token before its customer uses it
  return closeIntent(call, { intent_id, reason, by: null, unused: true });
};
