/** The part of the ledger for pay links: what each sells, and which browser has which intent. */

export type PayLinkRow = {
  readonly pay_link_id: string;
  /** SHA-256 of the link's token, in hex: a copy of the ledger opens no link. */
  readonly token_digest: string;
  /** What the link sells, as JSON of a `PayLinkTerms`. */
  readonly terms: string;
  /** How many intents the link may open. */
  readonly uses: number;
  /** How many numbers were given to browsers; a link with a single use needs none. */
  readonly used: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
};

/** The browser with this attempt pays the link's intent with this number. */
export type PayLinkUseRow = {
  readonly pay_link_id: string;
  readonly attempt: string;
  readonly number: number;
};

/** Whether a link opens an intent for one more browser. */
export const hasFreeUse = (link: PayLinkRow, now: number): boolean =>
  link.revoked_at === null && link.expires_at > now && link.used < link.uses;

export type PayLinkLedger = {
  addPayLink(row: PayLinkRow): Promise<void>;
  payLink(tokenDigest: string): Promise<PayLinkRow | null>;
  /** The number that a browser has. */
  payLinkUse(payLinkId: string, attempt: string): Promise<number | null>;
  /**
   * Gives a browser the next number, unless it has one. Two browsers never get the same.
   *
   * @param unusable a number that the browser has and cannot use: it gets another one
   * @returns null when the link has no free use
   */
  takePayLinkUse(
    payLinkId: string,
    attempt: string,
    now: number,
    unusable?: number,
  ): Promise<number | null>;
  /**
   * Revokes a link, unless it is revoked.
   *
   * @returns when it was revoked; null when there is no such link
   */
  revokePayLink(payLinkId: string, at: number): Promise<number | null>;
  /**
   * Takes one step in deleting a link that expired before `before`: deletes at most `limit` of its
   * numbers, or the link itself when it has none.
   *
   * @returns the number of deleted rows; 0 when no such link is left
   */
  purgePayLink(before: number, limit: number): Promise<number>;
};
