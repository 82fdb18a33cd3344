/** Makes a pay link for the shop. */
import { base32nopad } from '@scure/base';
import type { z } from 'zod';
import type { Config } from '../config/schema.js';
import { DAY_MS } from '../contract/durations.js';
import { Failure } from '../contract/failure.js';
import type { payLinkRequest, PayLinkResponse } from '../contract/pay-links.js';
import { checkListedOptions } from '../intent/listed-options.js';
import { withReturnUrl } from '../intent/return-url.js';
import type { PayLinkRow } from '../ledger/pay-link-ledger.js';
import type { Context } from '../orders/context.js';
import { checkContent } from '../orders/current-order.js';
import { waitForOrderMs } from '../orders/order-limits.js';
import { digestOf, intentOfLink, type PayLink } from './pay-link.js';

/** Each base32 character holds 5 bits, so a token holds 130 and cannot be guessed. */
const TOKEN_CHARACTERS = 26;
/** Shorter than a token, because it grants nothing: every customer of the link reads it. */
const ID_CHARACTERS = 16;

/** @param count at most 32 */
const randomBase32 = (count: number): string =>
  base32nopad
    .encode(crypto.getRandomValues(new Uint8Array(20)))
    .toLowerCase()
    .slice(0, count);

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
  // in the time by which a link expires, which is ahead of the clock's after a step back; read
  // first, so that the link is not valid for a moment longer than the retention
  const expires_at = ledgerClock.latestNow() + expires_in * 1000;
  const created_at = ledgerClock.now();
  const row: PayLinkRow = {
    pay_link_id: `pl_${randomBase32(ID_CHARACTERS)}`,
    token_digest: digestOf(token),
    terms: JSON.stringify(terms),
    uses,
    used: 0,
    created_at,
    expires_at,
    revoked_at: null,
    revoked_by: null,
    erased_at: null,
    erased_by: null,
  };
  await checkIntent({ config, ledger, ledgerClock }, { row, terms }, expires_in);
  await ledger.addPayLink(row);
  const url = `${config.public_url}/p/${token}`;
  return {
    pay_link_id: row.pay_link_id,
    url,
    qr_url: `${url}/qr.svg`,
    expires_at: new Date(created_at + expires_in * 1000).toISOString(),
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
  expiresInS: number,
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
  checkRetention(config, expiresInS + (link.row.created_at - known.created_at) / 1000);
}
