/**
 * The part of the ledger for pay links: what each link sells, and which browser has which intent.
 */
import type { OrderRow } from './rows.js';

export type PayLinkRow = {
  readonly pay_link_id: string;
  /** SHA-256 of the link's token, in hex: a copy of the ledger opens no link. */
  readonly token_digest: string;
  /** What the link sells, as JSON of a `PayLinkTerms`. */
  readonly terms: string;
  /** How many intents the link may open. */
  readonly uses: number;
  /** How many browsers have a use; always 0 for a link with a single use. */
  readonly used: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
};

/** The browser with this attempt has one of the link's uses, for this intent. */
export type PayLinkBrowserRow = {
  readonly pay_link_id: string;
  readonly attempt: string;
  readonly intent_id: string;
};

/** A link, and the browser that pays by it. */
export type PayLinkUse = { readonly pay_link_id: string; readonly attempt: string };

/** Whether a link that is not revoked opens an intent for one more browser. */
export const hasFreeUse = (link: PayLinkRow, now: number): boolean =>
  link.expires_at > now && link.used < link.uses;

/** The link's use by a claim; `now` is compared with the link's expiry. */
export type PayLinkClaim = PayLinkUse & { readonly now: number };

/**
 * Whether the service may have the order. A failed order counts: the service may still report that
 * it was paid.
 */
export const mayBePaid = ({ sending }: Pick<OrderRow, 'sending'>): boolean => sending !== 'unsent';

export type PayLinkLedger = {
  addPayLink(row: PayLinkRow): Promise<void>;
  payLink(tokenDigest: string): Promise<PayLinkRow | null>;
  /** The intent of a browser that has a use. */
  payLinkIntent(payLinkId: string, attempt: string): Promise<string | null>;
  /**
   * Frees the use of a browser when none of its orders reached the service. The browser takes a use
   * again when it pays again.
   */
  freePayLinkUse(use: PayLinkUse): Promise<void>;
  /**
   * Revokes a link, unless it is revoked.
   *
   * @returns when it was revoked; null when there is no such link
   */
  revokePayLink(payLinkId: string, at: number): Promise<number | null>;
  /**
   * Takes one step in deleting a link that expired before `before`: deletes at most `limit` of its
   * browsers, or the link itself when it has none.
   *
   * @returns the number of deleted rows; 0 when no such link is left
   */
  purgePayLink(before: number, limit: number): Promise<number>;
};
