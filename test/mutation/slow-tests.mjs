/**
 * Tests that wait for seconds of real time. Each mutant that survives runs all of its tests, so
 * with these a run would take a day; a rule that only they test has survivors.
 */
export const SLOW_TESTS = [
  // orders/failure-modes.browser.test.ts
  'places new orders when an answer about one order cannot be read',
  'sends nothing when a claim was written too late',
  'puts an order into review when an echo has another type',
  // orders/place.browser.test.ts
  'keeps an order unchanged when a query has a fault',
  'accepts another status after each outcome but success',
  'asks the service once for all customers who wait',
  'keeps the order and sends no second pay when pay has the fault',
  // orders/polling
  'goes on with the sweep of other orders when one query hangs',
  'queries an order once a second, and the others in time, in a flood of signals',
  // orders/upstream.browser.test.ts
  'sends no more queries than configured when many checkouts are open',
  'spreads the ends of many long polls that begin together',
  'sends and writes nothing while the service is silent, until a probe succeeds',
  'gives its slots to urgent queries first, and then in turn',
  // orders/order-model.test.ts
  'sends no order twice and records only what the service did, in 20,000 histories',
  // shop/close.test.ts
  'follows an unknown, a closed and each of fifty intents in a chain',
  'closes the other intent at its first pay',
  'refuses every further pay, and hides what could be paid',
  'makes a later payment a late one, which no expectation accepts',
  // webhooks/shop-events.browser.test.ts
  'sends an event for each change of an order, and for success once',
  'delivers events in time while a hundred other deliveries hang',
  'reports a review when a status changes after success',
  // time.test.ts
  'resends an order only after claim and grace, when the clock steps forward',
  'polls the orders of the ledger when its clock says',
  'purges no intent and sends no order again when the clock steps years forward',
  'closes the circuit breaker when the wall clock steps back',
  // failure.test.ts
  'reads, and ends each pay in time, when another process holds the write lock',
  'refuses an empty ledger file with a clear message, and leaves it unchanged',
  // others
  'accepts none of ten thousand guessed order_keys',
  'reads no growing table from end to end',
];
