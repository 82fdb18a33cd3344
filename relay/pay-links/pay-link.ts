/**
 * Pay links: addresses of the relay's own page, which the shop sends by mail or in a chat, or
 * prints on a bill.
 *
 * The ledger keeps what a link sells. The token in the address is only a random name: it stays
 * short enough for a printed QR code, and the shop can revoke it.
 */
import { hex } from '@scure/base';
import type { Config } from '../config/schema.js';
import { payLinkTerms, type PayLinkTerms } from '../contract/pay-links.js';
import type { IntentRequest } from '../contract/requests.js';
import type { OrderIntent } from '../intent/order-intent.js';
import { intentOfSale } from '../intent/read-intent.js';
import type { OperatorLedger } from '../ledger/operator-ledger.js';
import type { PayLinkLedger, PayLinkRow } from '../ledger/pay-link-ledger.js';
import { DAY_MS } from '../contract/durations.js';
import { sha256Of } from '../digest.js';

/** How long an expired link still shows its order; the same as for an expired order token. */
export const RESUME_AFTER_EXPIRY_MS = DAY_MS;
export const PAY_LINK_ID = /^pl_[a-z2-7]{16}$/;
/** An order token contains two dots, so it never has this form. */
const TOKEN = /^[a-z2-7]{26}$/;

export type PayLink = {
  readonly row: PayLinkRow;
  readonly terms: PayLinkTerms;
};

export const digestOf = (token: string): string => hex.encode(sha256Of(token));

/** @returns null when the token does not have the form of a link's token, or no link has it */
export async function findPayLink(
  ledger: Pick<PayLinkLedger, 'payLink'>,
  token: string,
): Promise<PayLink | null> {
  const row = isLinkToken(token) ? await ledger.payLink(digestOf(token)) : null;
  return row && { row, terms: payLinkTerms.parse(JSON.parse(row.terms)) };
}

/** @returns null when no link has the id */
export async function payLinkOf(
  ledger: Pick<OperatorLedger, 'payLinkById'>,
  id: string,
): Promise<PayLink | null> {
  const row = PAY_LINK_ID.test(id) ? await ledger.payLinkById(id) : null;
  return row && { row, terms: payLinkTerms.parse(JSON.parse(row.terms)) };
}

export const isLinkToken = (token: string): boolean => TOKEN.test(token);

export const isLinkOver = ({ expires_at, revoked_at }: PayLinkRow, now: number): boolean =>
  revoked_at !== null || expires_at <= now;

/**
 * The intent of a link.
 *
 * @param request the page's own fields, which must not contradict the link
 * @param intent_id null when each browser has an intent of its own, and this browser's is unknown
 */
export function intentOfLink(
  config: Config,
  request: IntentRequest,
  { row, terms }: PayLink,
  { intent_id, now }: { intent_id: string | null; now: number },
): OrderIntent {
  const { jti: _jti, ...sale } = terms;
  return intentOfSale(config, request, {
    ...sale,
    intent_id,
    expired: isLinkOver(row, now),
    stale: row.expires_at + RESUME_AFTER_EXPIRY_MS <= now,
  });
}
