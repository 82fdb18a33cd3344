/**
 * The intent that a browser pays by a link.
 *
 * A link with a single use has one intent for all browsers. A link with several uses has one intent
 * for each browser. Its id contains a digest of the browser's attempt, so that a reload shows the
 * same order again, and a restored ledger gives no browser the intent of another browser.
 */
import { Failure } from '../contract/failure.js';
import type { IntentRequest } from '../contract/requests.js';
import type { OrderIntent } from '../intent/order-intent.js';
import type { Context } from '../orders/context.js';
import { currentOrder } from '../orders/current-order.js';
import type { IdentifiedIntent } from '../orders/new-order.js';
import { linkClosed } from '../orders/place-failures.js';
import type { Restored } from '../orders/restored/restored.js';
import { findPayLink, intentOfLink, isLinkToken, type PayLink } from './pay-link.js';

type Page = { fields: IntentRequest; attempt: string | undefined };
type LinkContext = Pick<Context, 'config' | 'identity' | 'ledger' | 'ledgerClock'>;
/** `admit` throws when the page may not cause queries of the service. */
type Asking = { admit: () => Promise<void>; restored: Pick<Restored, 'knowsIntent'> };

/**
 * Finds the link whose token stands in a request's `order_token`.
 *
 * @returns null when the request has no token, or an order token
 * @throws Failure `token_invalid` when no link has the token
 */
export async function linkOfRequest(
  { ledger }: Pick<Context, 'ledger'>,
  { order_token }: IntentRequest,
): Promise<PayLink | null> {
  if (order_token === undefined || !isLinkToken(order_token)) return null;
  const link = await findPayLink(ledger, order_token);
  if (!link) throw new Failure('token_invalid', 'no such pay link', 'order_token');
  return link;
}

/**
 * Finds the intent for a page that only shows it. Its `intent_id` is null when each browser has an
 * intent of its own and the page sent no attempt.
 *
 * @throws Failure `intent_closed` when the link was revoked or used up before this browser paid
 */
export async function shownIntent(
  context: LinkContext,
  asking: Asking,
  link: PayLink,
  { attempt, fields }: Page,
): Promise<OrderIntent> {
  const { config, ledgerClock } = context;
  const intent_id = attempt === undefined ? idForAll(link) : await idFor(context, link, attempt);
  const intent = intentOfLink(config, fields, link, { intent_id, now: ledgerClock.latestNow() });
  const isClosed = link.row.revoked_at !== null || isUsedUp(link);
  // a closed link still shows the order that a customer may be paying at this moment
  if (!isClosed || (await currentOrder(context, intent))) return intent;
  // the browser's next pay finds the order
  if (intent_id !== null) return lostIntent(context, asking, link, { ...intent, intent_id });
  throw linkClosed();
}

/**
 * Finds the intent for a pay. The claim of the order decides later whether the link is open: a link
 * that was revoked or used up a moment before places nothing.
 *
 * @throws Failure `intent_closed` when the link was revoked before this browser paid, or the pay is
 *   to replace an order of a revoked link
 */
export async function intentToPay(
  context: LinkContext,
  asking: Asking,
  link: PayLink,
  { attempt, fields, replaces }: Page & { attempt: string; replaces: boolean },
): Promise<IdentifiedIntent> {
  const { config, ledgerClock } = context;
  const intent_id = await idFor(context, link, attempt);
  const intent = intentOfLink(config, fields, link, { intent_id, now: ledgerClock.latestNow() });
  const identified = { ...intent, intent_id };
  if (link.row.revoked_at === null) return identified;
  if (replaces) throw linkClosed();
  if (await currentOrder(context, intent)) return identified;
  return lostIntent(context, asking, link, identified);
}

/**
 * The intent of a closed link whose order a restored ledger lost, as if the link was not revoked:
 * the order is found only when it is about to be placed.
 *
 * @throws Failure `intent_closed` when the service knows no order of the intent
 */
async function lostIntent(
  { ledgerClock }: LinkContext,
  { admit, restored }: Asking,
  { row: { created_at, expires_at } }: PayLink,
  intent: IdentifiedIntent,
): Promise<IdentifiedIntent> {
  if (!(await restored.knowsIntent(intent.intent_id, created_at, admit))) throw linkClosed();
  return { ...intent, expired: expires_at <= ledgerClock.latestNow() };
}

/** The intent_id of a link with a single use; null when each browser has an intent of its own. */
const idForAll = ({ row: { pay_link_id, uses }, terms }: PayLink): string | null =>
  uses === 1 ? (terms.jti ?? `${pay_link_id}-1`) : null;

const idFor = async ({ identity }: LinkContext, link: PayLink, attempt: string): Promise<string> =>
  idForAll(link) ?? identity.linkIntentId(link.row.pay_link_id, attempt);

const isUsedUp = ({ row: { used, uses } }: PayLink): boolean => uses > 1 && used >= uses;
