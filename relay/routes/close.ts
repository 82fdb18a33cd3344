/**
 * POST /v1/close: the intent takes no more orders. The service is asked about its orders first, so
 * that a paid intent is not closed.
 */
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import { tokenId } from '../contract/requests.js';
import { requireSecretKey } from '../http/auth.js';
import { readBody } from '../http/body.js';
import { closing } from '../ledger/rules.js';
import { unknownIntent } from '../orders/new-order.js';
import { isPaidInReview } from '../orders/checks.js';
import { PAY_LINK_ID } from '../pay-links/pay-link.js';
import type { Handler } from './mount.js';

export const close: Handler<{ intent_id: string; closed_at: string }> = async ({
  about,
  context,
  fromBackend,
  refreshIntent,
  request,
  restored,
  store,
}) => {
  requireSecretKey(context.config, fromBackend);
  const { intent_id, reason = null } = await readBody(request, endpoints.close.request);
  about(intent_id);
  const { ledger, ledgerClock } = context;
  const known = await refreshIntent(intent_id, 'urgent');
  // A pay link would go on taking money after this close. A known intent is not a pay link: it
  // belongs to a token whose jti has the same form.
  if (!known && PAY_LINK_ID.test(intent_id))
    throw new Failure(
      'invalid_request',
      'this is a pay link: revoke it, or close the intent_id of its order',
      'intent_id',
    );
  if (known && known.closed_at === null && isPaidInReview(context.config, known.orders))
    throw alreadyPaid('the service says that an order of the intent is paid; end its review first');
  const at = ledgerClock.now();
  const unknown = unknownIntent(intent_id, at);
  if (!known) {
    const lost = await restored.closeLost({ ...unknown, closed_at: at, close_reason: reason });
    if (lost === 'paid') throw alreadyPaid();
    // the shop makes the ids of its tokens, and may close one that no customer has used yet
    if (lost === 'unknown' && !tokenId.safeParse(intent_id).success)
      throw new Failure('order_unknown', 'no such intent', 'intent_id');
  }
  const { intent } = await ledger.change(intent_id, closing(unknown, { at, reason }));
  // a closed intent that was paid since stays closed: that payment is to be refunded
  if (intent && intent.paid_request_id !== null && intent.closed_at === null) throw alreadyPaid();
  store.announce(intent_id);
  return { intent_id, closed_at: new Date(intent?.closed_at ?? at).toISOString() };
};

const alreadyPaid = (message = 'the intent is paid'): Failure =>
  new Failure('already_paid', message, 'intent_id');
