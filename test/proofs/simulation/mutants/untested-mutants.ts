/**
 * Deliberate bugs that no ordinary test catches. They need a step of a clock, or a form of the
 * service's answer that the tests do not send.
 */
import { BACK_FOR_GOOD } from '../faults/clock-and-network.js';
import type { Needs } from '../plan.js';
import type { RelayMutant } from './relay-mutant.js';

/** Customers pay when the clock has stepped back, and the relay still asks about their orders. */
const PAID_AFTER_A_STEP_BACK: Needs = {
  faults: ['clock_step'],
  faultSize: BACK_FOR_GOOD,
  followDays: 0.05,
  habit: 'late',
};

export const untestedMutants: Readonly<Record<string, RelayMutant>> = {
  'a-reminder-by-the-wall-clock': {
    caughtBy: 'unpaid is told once',
    needs: { faults: ['clock_step'], faultSize: BACK_FOR_GOOD, reportsAfterS: 150 },
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
    needs: PAID_AFTER_A_STEP_BACK,
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
    needs: PAID_AFTER_A_STEP_BACK,
    edits: [
      {
        file: 'relay/webhooks/deliver.ts',
        from: 'const nextTryAt = isLast ? null : at + pause;',
        to: 'const nextTryAt = isLast ? null : ledgerClock.agingNow() + pause;',
      },
    ],
  },
};
