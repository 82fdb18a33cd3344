/**
 * Deliberate bugs that no ordinary test catches. They need a step of a clock, or a form of the
 * service's answer that the tests do not send.
 */
import type { RelayMutant } from './relay-mutant.js';

export const untestedMutants: Readonly<Record<string, RelayMutant>> = {
  'a-reminder-by-the-wall-clock': {
    caughtBy: 'unpaid is told once',
    needs: { faults: ['clock_step'], reports: true },
    edits: [
      {
        file: 'relay/webhooks/unpaid.ts',
        from: 'const agingTime = deps.ledgerClock.agingNow();',
        to: 'const agingTime = deps.ledgerClock.now();',
      },
    ],
  },
  // the document allows a status as a number and as a text of digits
  'a-status-in-text-that-is-not-read': {
    caughtBy: 'no order is lost',
    edits: [
      {
        file: 'relay/order-service/operations.ts',
        from: '  status: statusNumber,\n  order_no',
        to: '  status: z.int32(),\n  order_no',
      },
    ],
  },
  // after a step back, the event and the next query are due when the clock gets there again
  'an-answer-dated-by-the-aging-time': {
    caughtBy: 'success is told',
    needs: { faults: ['clock_step'] },
    edits: [
      {
        file: 'relay/orders/ask-status.ts',
        from: "return { type: 'query_answered', knownAt, answer, at: ledgerClock.now() };",
        to: "return { type: 'query_answered', knownAt, answer, at: ledgerClock.agingNow() };",
      },
    ],
  },
  // after a step back, the shop is told again only when the clock gets there again
  'a-retry-dated-by-the-aging-time': {
    caughtBy: 'success is told',
    needs: { faults: ['clock_step'] },
    edits: [
      {
        file: 'relay/webhooks/deliver.ts',
        from: 'const nextTryAt = isLast ? null : at + pause;',
        to: 'const nextTryAt = isLast ? null : ledgerClock.agingNow() + pause;',
      },
    ],
  },
};
