/**
 * The part of the ledger for pay links: what each link sells, and how many of its uses are taken.
 *
 * An intent of a link with several uses holds a use while it is paid or one of its orders is open
 * (`holdsUse`). Each transaction that may change this locks the link first, then the intent: two
 * transactions that locked them in different orders would deadlock.
 */
export type PayLinkRow = {
  readonly pay_link_id: string;
  /** SHA-256 of the link's token, in hex: a copy of the ledger opens no link. */
  readonly token_digest: string;
  /** What the link sells, as JSON of a `PayLinkTerms`. */
  readonly terms: string;
  /** How many intents the link may open. */
  readonly uses: number;
  /**
   * How many intents hold a use; always 0 for a link with a single use, which has one intent. A
   * late payment takes its use again, so this may be more than `uses`.
   */
  readonly used: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  /** The person who revoked it; null when the shop's backend did. */
  readonly revoked_by: string | null;
  /** When the customer's data was taken out of the terms, and who did it. */
  readonly erased_at: number | null;
  readonly erased_by: string | null;
};

/** The link that an order is claimed by; `now` is compared with its expiry. */
export type PayLinkClaim = { readonly pay_link_id: string; readonly now: number };

/** The id of a link, and what follows it in the intent_id of a link with several uses. */
const OF_BROWSER = /^(pl_[a-z2-7]{16})-[a-z2-7]{26}$/;

/** @returns the link of an intent that holds one of several uses; null for any other intent */
export const linkOfIntent = (intentId: string): string | null =>
  OF_BROWSER.exec(intentId)?.[1] ?? null;

export type PayLinkLedger = {
  addPayLink(row: PayLinkRow): Promise<void>;
  payLink(tokenDigest: string): Promise<PayLinkRow | null>;
  /**
   * Revokes a link, unless it is revoked.
   *
   * @param by the person who revokes it; absent when the shop's backend does
   * @returns when it was revoked; null when there is no such link
   */
  revokePayLink(payLinkId: string, at: number, by?: string | null): Promise<number | null>;
  /**
   * Deletes at most `limit` links that expired before `before`.
   *
   * @returns the number of deleted links
   */
  purgePayLinks(before: number, limit: number): Promise<number>;
};
