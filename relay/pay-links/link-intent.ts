/**
 * The intent that a browser pays through a link.
 *
 * A link with a single use has one intent, whoever opens it. A link with several uses has one
 * intent for each browser. A browser gets the number of its intent with its first pay, never when
 * it only shows the page. The number belongs to the browser's attempt, so that a reload shows the
 * same order.
 */
import { Failure } from '../contract/failure.js';
import type { IntentRequest } from '../contract/requests.js';
import type { OrderIntent } from '../intent/order-intent.js';
import type { Context } from '../orders/context.js';
import { currentOrder } from '../orders/current-order.js';
import type { IdentifiedIntent } from '../orders/new-order.js';
import { findOption } from '../orders/offer.js';
import type { Place, PlaceRequest } from '../orders/place.js';
import type { Restored } from '../orders/restored.js';
import { findPayLink, intentOfLink, isLinkToken, type PayLink } from './pay-link.js';

type Page = { fields: IntentRequest; attempt: string | undefined };

const closed = (): Failure =>
  new Failure('intent_closed', 'the link was revoked, or all its uses are taken');

/**
 * Finds the link whose token a request has as its `order_token`.
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
 * The intent that a page shows before its browser pays; `intent_id` is null until it has a number.
 *
 * @throws Failure `intent_closed` when the link was revoked or used up before this browser paid
 */
export async function shownIntent(
  context: Pick<Context, 'config' | 'ledger' | 'time'>,
  link: PayLink,
  { attempt, fields }: Page,
): Promise<OrderIntent> {
  const { config, ledger, time } = context;
  const { row } = link;
  const number = row.uses === 1 ? 1 : await numberOf(ledger, row.pay_link_id, attempt);
  if (number === null && row.used >= row.uses) throw closed();
  const intent = intentOfLink(config, fields, link, { number, now: time.now() });
  await refuseRevoked(context, link, intent);
  return intent;
}

type PayDeps = {
  context: Context;
  place: Place;
  restored: Pick<Restored, 'knowsIntent'>;
  /** Throws when the browser's address may not open another intent. */
  admit: () => Promise<void>;
};

/**
 * The intent for a pay. A browser without a number gets one, after every check that could refuse
 * the request: a use must not be lost to a request that places nothing.
 *
 * @throws Failure
 */
export async function intentToPay(
  { admit, context, place, restored }: PayDeps,
  link: PayLink,
  { attempt, fields }: Page & { attempt: string },
  request: PlaceRequest,
): Promise<IdentifiedIntent> {
  const { config, ledger, time } = context;
  const { row } = link;
  const withNumber = (number: number): IdentifiedIntent => {
    const intent = intentOfLink(config, fields, link, { number, now: time.now() });
    return { ...intent, intent_id: intent.intent_id ?? '' };
  };
  const take = async (unusable?: number): Promise<IdentifiedIntent> => {
    const number = await ledger.takePayLinkUse(row.pay_link_id, attempt, time.now(), unusable);
    if (number === null) throw closed();
    const intent = withNumber(number);
    if (!(await restored.knowsIntent(intent.intent_id))) return intent;
    // A ledger that was restored from a backup gives out again the numbers that it has lost. This
    // intent is another browser's: its customer may have paid, and this one must not see or pay its
    // order. `place` brings the lost order back into the ledger, so that it is followed.
    await place(intent, request);
    return take(number);
  };
  const known = row.uses === 1 ? 1 : await numberOf(ledger, row.pay_link_id, attempt);
  if (known !== null) {
    const intent = withNumber(known);
    await refuseRevoked(context, link, intent);
    return intent;
  }
  const unnumbered = intentOfLink(config, fields, link, { number: null, now: time.now() });
  await refuseRevoked(context, link, unnumbered);
  if (unnumbered.expired)
    throw new Failure('token_expired', 'the pay link has expired', 'order_token');
  findOption(config, unnumbered, request);
  await admit();
  return take();
}

const numberOf = async (
  ledger: Pick<Context['ledger'], 'payLinkUse'>,
  payLinkId: string,
  attempt: string | undefined,
): Promise<number | null> => (attempt === undefined ? null : ledger.payLinkUse(payLinkId, attempt));

/** A revoked link still shows the order that a customer may be paying at this moment. */
async function refuseRevoked(
  context: Pick<Context, 'ledger'>,
  { row }: PayLink,
  intent: OrderIntent,
): Promise<void> {
  if (row.revoked_at !== null && !(await currentOrder(context, intent))) throw closed();
}
