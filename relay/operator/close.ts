/**
 * Closes an intent, which then takes no more orders. The service is asked about its orders first,
 * so that a paid intent is not closed.
 */
import type { z } from 'zod';
import { Failure } from '../contract/failure.js';
import { tokenId } from '../contract/requests.js';
import type { OrderInIntent } from '../ledger/intent.js';
import { unknownIntent } from '../ledger/rows.js';
import { closing, unlessInReview } from '../ledger/rules.js';
import type { Context } from '../orders/context.js';
import type { OrderStore } from '../orders/order-store.js';
import { createRefreshIntent, type RefreshIntent } from '../orders/refresh-intent.js';
import type { Restored } from '../orders/restored/restored.js';
import { PAY_LINK_ID } from '../pay-links/pay-link.js';
import { findById } from './by-id.js';
import { checkOrder, type CheckContext } from './check.js';
import { Refusal } from './refusal.js';
import type { closedShape } from './shapes.js';

type CloseDeps = {
  readonly context: Pick<Context, 'config' | 'ledger' | 'ledgerClock'>;
  readonly refreshIntent: RefreshIntent;
  readonly restored: Pick<Restored, 'adoptSuccessors' | 'closeLost'>;
  readonly store: Pick<OrderStore, 'announce'>;
};

export type CloseRequest = {
  readonly intent_id: string;
  readonly reason: string | null;
  /** The person who closes; null when the shop's backend does. */
  readonly by: string | null;
  /** Whether it may be the id of a token that no customer has used yet. */
  readonly unused: boolean;
};

/**
 * @throws Failure `already_paid`, `order_unknown`, or `invalid_request` for a pay link
 * @throws Refusal for an id that nothing has, unless it may be unused
 */
export async function close(
  { context, refreshIntent, restored, store }: CloseDeps,
  { by, intent_id, reason, unused }: CloseRequest,
): Promise<{ intent_id: string; closed_at: string }> {
  const { config, ledger, ledgerClock } = context;
  const known = await refreshIntent(intent_id, 'urgent');
  // A pay link would go on taking money after this close. A known intent is not a pay link: it
  // belongs to a token whose jti has the same form.
  if (!known && PAY_LINK_ID.test(intent_id))
    throw new Failure(
      'invalid_request',
      'this is a pay link: revoke it, or close the intent_id of its order',
      'intent_id',
    );
  const at = ledgerClock.now();
  const unknown = unknownIntent(intent_id, at);
  if (!known) {
    const lost = await restored.closeLost({
      ...unknown,
      closed_at: at,
      close_reason: reason,
      closed_by: by,
    });
    if (lost === 'paid') throw alreadyPaid();
    // the shop makes the ids of its tokens, and may close one that no customer has used yet
    if (lost === 'unknown' && !tokenId.safeParse(intent_id).success)
      throw new Failure('order_unknown', 'no such intent', 'intent_id');
    // a person may have mistyped the id of a purchase, which would stay open
    if (lost === 'unknown' && !unused)
      throw new Refusal(
        `no purchase with the id ${intent_id} is known, and nothing was closed; if it is the jti ` +
          'of an order token that no customer has used yet, add --unused (as a field: unused)',
      );
  }
  const rule = unlessInReview(config, closing(unknown, { at, by, reason }));
  const { intent } = await ledger.change(intent_id, rule);
  // a closed intent that was paid since stays closed: that payment is to be refunded
  if (intent?.closed_at === null)
    throw intent.paid_request_id === null
      ? alreadyPaid('the service says that an order of the intent is paid; end its review first')
      : alreadyPaid();
  store.announce(intent_id);
  return { intent_id, closed_at: new Date(intent?.closed_at ?? at).toISOString() };
}

export type CloseByIdDeps = Omit<CloseDeps, 'context' | 'refreshIntent'> & {
  readonly context: CheckContext & {
    /** Bounds each wait for the budget and the service. */
    readonly clock?: Pick<Context['clock'], 'sleep'>;
  };
};

/**
 * Closes the intent that a person names by an intent_id, a request_id or an order_no, and tells
 * about which of its orders the service was silent.
 *
 * @throws Failure or Refusal as `close` does
 */
export async function closeById(
  { context, restored, store }: CloseByIdDeps,
  { id, ...request }: Omit<CloseRequest, 'intent_id'> & { readonly id: string },
): Promise<z.infer<typeof closedShape>> {
  const unanswered: string[] = [];
  const check = async (asked: OrderInIntent, maxMs: number): Promise<void> => {
    const checked = checkOrder(context, asked).then(({ answer }) => answer);
    // in a backlog of queries it could come after the person was told that nothing was closed
    const late = context.inBudget && context.clock?.sleep(maxMs).then(() => 'no_answer' as const);
    const answer = await (late ? Promise.race([checked, late]) : checked);
    if (answer === 'no_answer') unanswered.push(asked.order.request_id);
  };
  const refreshIntent = createRefreshIntent(context, { longPoll: { check }, restored });
  const found = await findById(context.ledger, id);
  const intent_id = found?.intent.intent_id ?? id;
  const closed = await close(
    { context, refreshIntent, restored, store },
    { ...request, intent_id },
  );
  return { ...closed, unanswered };
}

const alreadyPaid = (message = 'the intent is paid'): Failure =>
  new Failure('already_paid', message, 'intent_id');
