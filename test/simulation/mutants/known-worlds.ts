/**
 * For a mutant, a seed whose world has caught it; `--mutants` tries this world first. When the
 * simulation or the relay changes, the world of a seed may change too; then other worlds run.
 */
export const KNOWN_WORLDS: Readonly<Record<string, number>> = {
  'an-event-waits-for-another': 700000,
  'a-review-heals-by-itself': 700000,
  'a-lost-pay-counts-as-unsent': 700000,
  'an-unreadable-answer-counts-as-unsent': 700000,
  'an-unchecked-echo': 700000,
  'a-claim-that-a-power-cut-loses': 701385,
  'events-without-numbers': 700002,
  'a-restore-that-asks-nobody': 701323,
  'an-event-noted-before-it-is-sent': 700206,
  'any-key-opens-any-order': 700000,
  'a-late-payment-told-as-success': 700000,
  'a-closed-intent-that-takes-orders': 700000,
  'a-superseded-intent-that-stays-open': 700000,
  'a-cursor-that-outlives-a-restore': 701323,
  'metadata-sent-to-the-service': 700000,
  'metadata-shown-to-a-page': 700000,
  'an-echo-that-the-service-never-told': 700000,
  'a-code-that-never-expires': 700005,
  'a-reminder-that-is-repeated': 700004,
  'crossed-identities': 670360,
  'a-lost-order-of-a-paid-intent': 700262,
  'a-status-in-text-that-is-not-read': 700000,
};
