/**
 * Pay links: addresses of the relay's own page, which the shop sends by mail or in a chat, or
 * prints on a bill.
 *
 * The ledger keeps what a link sells. The token in the address is only a random name: it stays
 * short enough for a printed QR code, and the shop can revoke it.
 */
import { base32nopad, hex } from '@scure/base';
import type { z } from 'zod';
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';
import {
  payLinkTerms,
  type payLinkRequest,
  type PayLinkResponse,
  type PayLinkTerms,
} from '../contract/pay-links.js';
import type { IntentRequest } from '../contract/requests.js';
import type { OrderIntent } from '../intent/order-intent.js';
import { checkListedOptions } from '../intent/listed-options.js';
import { intentOfSale } from '../intent/read-intent.js';
import { withReturnUrl } from '../intent/return-url.js';
import type { OperatorLedger } from '../ledger/operator-ledger.js';
import type { PayLinkLedger, PayLinkRow } from '../ledger/pay-link-ledger.js';
import type { Context } from '../orders/context.js';
import { checkContent } from '../orders/current-order.js';
import { waitForOrderMs } from '../orders/order-limits.js';
import { DAY_MS } from '../contract/durations.js';

/** How long an expired link still shows its order; the same as for an expired order token. */
const RESUME_AFTER_EXPIRY_MS = DAY_MS;
/** Each base32 character holds 5 bits, so a token holds 130 and cannot be guessed. */
const TOKEN_CHARACTERS = 26;
/** Shorter than a token, because it grants nothing: every customer of the link reads it. */
const ID_CHARACTERS = 16;
export const PAY_LINK_ID = /^pl_[a-z2-7]{16}$/;
/** An order token contains two dots, so it never has this form. */
const TOKEN = /^[a-z2-7]{26}$/;

export type PayLink = {
  readonly row: PayLinkRow;
  readonly terms: PayLinkTerms;
};

/** @param count at most 32 */
const randomBase32 = (count: number): string =>
  base32nopad
    .encode(crypto.getRandomValues(new Uint8Array(20)))
    .toLowerCase()
    .slice(0, count);

async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return hex.encode(new Uint8Array(digest));
}

/**
 * Writes a new link to the ledger. It opens no intent.
 *
 * @throws Failure `invalid_request`, `return_host_refused`, `option_unknown`, `intent_conflict`,
 *   `intent_closed`, `already_paid` or `too_many_replacements`
 */
export async function createPayLink(
  { config, ledger, ledgerClock }: Pick<Context, 'config' | 'ledger' | 'ledgerClock'>,
  { expires_in, uses, ...sale }: z.output<typeof payLinkRequest>,
): Promise<PayLinkResponse> {
  // a refused return_url is reported to the shop's backend here, not to its customer later
  const terms = withReturnUrl(config, sale);
  checkListedOptions(config, sale);
  checkRetention(config, expires_in);
  const token = randomBase32(TOKEN_CHARACTERS);
  const created_at = ledgerClock.now();
  const row: PayLinkRow = {
    pay_link_id: `pl_${randomBase32(ID_CHARACTERS)}`,
    token_digest: await digestOf(token),
    terms: JSON.stringify(terms),
    uses,
    used: 0,
    created_at,
    expires_at: created_at + expires_in * 1000,
    revoked_at: null,
    revoked_by: null,
  };
  await checkIntent({ config, ledger, ledgerClock }, { row, terms });
  await ledger.addPayLink(row);
  const url = `${config.public_url}/p/${token}`;
  return {
    pay_link_id: row.pay_link_id,
    url,
    qr_url: `${url}/qr.svg`,
    expires_at: new Date(row.expires_at).toISOString(),
  };
}

/**
 * An intent is deleted after its retention. A link that is valid for longer could then open the
 * paid intent anew.
 */
function checkRetention({ limits }: Config, expiresInS: number): void {
  if (expiresInS * 1000 > limits.retention_days * DAY_MS)
    throw new Failure(
      'invalid_request',
      'expires_in: the link would end after its orders are deleted (limits.retention_days)',
      'expires_in',
    );
}

/**
 * Refuses a link whose `jti` belongs to another sale, or to an intent that takes no further order,
 * or is deleted before the link expires.
 */
async function checkIntent(
  { config, ledger, ledgerClock }: Pick<Context, 'config' | 'ledger' | 'ledgerClock'>,
  link: PayLink,
): Promise<void> {
  const { jti } = link.terms;
  const known = jti === undefined ? null : await ledger.intent(jti);
  if (!known) return;
  if (known.closed_at !== null) throw new Failure('intent_closed', 'the shop closed the intent');
  if (known.paid_request_id !== null)
    throw new Failure('already_paid', 'the intent is paid', 'jti');
  if (waitForOrderMs(known.orders, ledgerClock.ageOf) === Infinity)
    throw new Failure('too_many_replacements', 'the intent takes no further order', 'jti');
  const options = { intent_id: known.intent_id, now: link.row.created_at };
  const intent = intentOfLink(config, {}, link, options);
  checkContent(known, intent);
  // the link would open the intent anew after its retention, and its order could be paid again
  checkRetention(config, (link.row.expires_at - known.created_at) / 1000);
}

/** @returns null when the token does not have the form of a link's token, or no link has it */
export async function findPayLink(
  ledger: Pick<PayLinkLedger, 'payLink'>,
  token: string,
): Promise<PayLink | null> {
  const row = isLinkToken(token) ? await ledger.payLink(await digestOf(token)) : null;
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

export const isOver = ({ expires_at, revoked_at }: PayLinkRow, now: number): boolean =>
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
    expired: isOver(row, now),
    stale: row.expires_at + RESUME_AFTER_EXPIRY_MS <= now,
  });
}
