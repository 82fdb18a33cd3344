/**
 * Deliberate bugs that no ordinary test catches. They need a step of a clock, two writers of
 * one order, or a form of the service's answer that the tests do not send.
 */
import type { RelayMutant } from './relay-mutant.js';

const ORDER_STORE = 'relay/orders/order-store.ts';

export const untestedMutants: Readonly<Record<string, RelayMutant>> = {
  // another writer was faster, and the retry still writes the events of the first try
  'events-of-the-first-try': {
    caughtBy: 'success is told',
    seed: 700311,
    edits: [
      {
        file: ORDER_STORE,
        from: '    for (let next = known; ; next = null) {',
        to:
          '    let eventsFor: ReturnType<typeof shopEventsFor>;\n' +
          '    for (let next = known; ; next = null) {',
      },
      {
        file: ORDER_STORE,
        from: 'const eventsFor = shopEventsFor(config,',
        to: 'eventsFor ??= shopEventsFor(config,',
      },
    ],
  },
  'a-reminder-by-the-wall-clock': {
    caughtBy: 'unpaid is told once',
    seed: 702216,
    edits: [
      {
        file: 'relay/background.ts',
        from: 'agingNow: time.agingNow,',
        to: 'agingNow: time.now,',
      },
    ],
  },
  // the document allows a status as a number and as a text of digits
  'a-status-in-text-that-is-not-read': {
    caughtBy: 'no order is lost',
    seed: 700000,
    edits: [
      {
        file: 'relay/order-service/fields.ts',
        from: '  z\n    .string()\n    .regex(/^\\d{1,9}$/)\n    .transform(Number),\n',
        to: '',
      },
    ],
  },
  // after a step back, the event and the next query are due when the clock gets there again
  'an-answer-dated-like-a-new-order': {
    caughtBy: 'success is told',
    seed: 700691,
    edits: [
      {
        file: 'relay/orders/ask-status.ts',
        from: "return { type: 'query_answered', knownAt, answer, at: time.now() };",
        to: "return { type: 'query_answered', knownAt, answer, at: time.dateNow() };",
      },
    ],
  },
  // after a step back, the shop is told again only when the clock gets there again
  'a-retry-dated-like-a-new-order': {
    caughtBy: 'success is told',
    seed: 700691,
    edits: [
      {
        file: 'relay/webhooks/deliver.ts',
        from: 'const nextTryAt = isLast ? null : time.now() + pause;',
        to: 'const nextTryAt = isLast ? null : time.dateNow() + pause;',
      },
    ],
  },
};
