/** The part of the ledger that serves whoever runs the shop: they look up, list and erase. */
import type { Intent, OpenAs } from './intent.js';
import type { DepositAddressRow, OpenOutcome, ShopEventHead, ShopEventRow } from './rows.js';
import type { PayLinkRow } from './pay-link-ledger.js';
import type { Signals } from './signals.js';

/** What an intent is found by. */
export const lookupKinds = [
  'request_id',
  'intent_id',
  'order_no',
  'customer_ref_id',
  'pay_link_id',
] as const;
export type LookupKind = (typeof lookupKinds)[number];

/** The texts from `from` to `to`, both included, compared byte by byte. */
export type TextRange = { readonly from: string; readonly to: string };

/** Moments, both included. */
export type Span = { readonly since: number; readonly until: number };

/** Where a walk goes on: after the row with this time and this id. */
export type Place = { readonly at: number; readonly id: string };

/** Sorts intents by when they were created, or by when they began to wait for one of these. */
export type WalkBy = 'created' | readonly OpenAs[];

/** Intents that one lookup reads, before it takes the newest. */
export const MAX_FOUND = 1000;
/** Undelivered events that one call returns. */
export const MAX_UNDELIVERED = 10_000;

export type OperatorLedger = {
  /** The newest of the first `MAX_FOUND` intents with such a text, at most `limit`. */
  search(kind: LookupKind, range: TextRange, limit: number): Promise<Intent[]>;
  /** All intents of a customer by their ids; `after`: the last id of the call before. */
  intentsOfCustomer(customerRefId: string, after: string, limit: number): Promise<Intent[]>;
  /** The signals of those orders that have some. */
  signalsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, Signals>>;
  searchAddresses(range: TextRange, limit: number): Promise<DepositAddressRow[]>;
  /**
   * Walks intents, the newest first.
   *
   * @param span of their creation, or of the moment since which they wait
   * @returns each with the time and id after which the next call goes on
   */
  walkIntents(
    by: WalkBy,
    span: Span,
    after: Place | null,
    limit: number,
  ): Promise<{ at: number; intent: Intent }[]>;
  /** Intents that have waited for this since `until` or longer, the longest first. */
  oldestOpen(outcome: OpenOutcome, until: number, limit: number): Promise<Intent[]>;
  /** Walks events by their creation, newest first; the id of a place is the event's `seq`. */
  walkEvents(span: Span, after: Place | null, limit: number): Promise<ShopEventHead[]>;
  /**
   * Events that the shop has not received, the newest first: they wait for their delivery, were
   * given up, or were written while no receiver was configured.
   */
  undelivered(): Promise<ShopEventHead[]>;
  /** The number after which the events of a moment and later come in their list. */
  eventsBefore(since: number): Promise<number>;
  event(eventId: string): Promise<ShopEventRow | null>;
  /** Pay links, the one that expires last first; the id of a place is the link's. */
  walkPayLinks(after: Place | null, limit: number): Promise<PayLinkRow[]>;
  payLinkById(payLinkId: string): Promise<PayLinkRow | null>;
  /** The settings whose names begin with `prefix`. */
  settingsFrom(prefix: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes another body over that of an event. A delivered event is then never delivered again.
   *
   * @param hasReceiver whether the shop receives events; without it, nobody waits for the delivery,
   *   so an event that is due is written too, and stays due
   * @returns false when the event is still to be delivered, and nothing was written
   */
  eraseEvent(eventId: string, body: string, at: number, hasReceiver: boolean): Promise<boolean>;
  /** Writes other terms over those of a link that nobody can pay by any more. */
  eraseLink(payLinkId: string, terms: string, act: { at: number; by: string }): Promise<void>;
  /**
   * Deletes a customer's deposit addresses, and the lookups by the customer of these intents and of
   * purged ones: a purge knows no customer of an intent that was erased.
   *
   * @returns whether there were any
   */
  forgetCustomer(customerRefId: string, intentIds: readonly string[]): Promise<boolean>;
};

/** @returns the texts that begin with `prefix` */
export const prefixed = (prefix: string): TextRange => ({
  from: prefix,
  // the last character of Unicode
  to: `${prefix}\u{10ffff}`,
});
