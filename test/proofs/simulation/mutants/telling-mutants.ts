/** Deliberate bugs in what a page, a shop or the order service is told. */
import type { RelayMutant } from './relay-mutant.js';

const SEND_PAY = 'relay/orders/send-pay.ts';
const CHECKOUT = 'relay/routes/checkout.ts';
const PURCHASE = 'relay/webhooks/purchase.ts';
const UNPAID = 'relay/webhooks/unpaid.ts';
const HISTORY = 'relay/ledger/history.ts';
const TIMELINE = 'relay/operator/timeline.ts';

export const tellingMutants: Readonly<Record<string, RelayMutant>> = {
  'metadata-sent-to-the-service': {
    caughtBy: 'told as asked',
    edits: [
      {
        file: SEND_PAY,
        from: 'remark: intent.remark ?? undefined,',
        to: 'remark: intent.remark ?? intent.metadata ?? undefined,',
      },
    ],
  },
  'metadata-shown-to-a-page': {
    caughtBy: 'told as asked',
    edits: [
      {
        file: CHECKOUT,
        from: '{ amount, currency, options, product_name, remark, return_url }: Shown,',
        to:
          '{ amount, currency, options, product_name, remark, return_url, metadata }: ' +
          'Shown & { metadata?: unknown },',
      },
      {
        file: CHECKOUT,
        from: '      remark: remark ?? undefined,',
        to: '      remark: remark ?? undefined,\n      metadata,',
      },
    ],
  },
  'an-echo-that-the-service-never-told': {
    caughtBy: 'told as asked',
    edits: [
      {
        file: PURCHASE,
        from: '...(order.echoed_amount !== null && { echoed_amount: order.echoed_amount }),',
        to: '...(order.echoed_amount !== null && { echoed_amount: `1${order.amount}` }),',
      },
    ],
  },
  'a-code-that-never-expires': {
    caughtBy: 'nothing wrong is payable',
    // they look at the code again when it has expired
    needs: { habit: 'late' },
    edits: [
      {
        file: 'relay/orders/new-order.ts',
        from: 'created_at + option.expires_after_s * 1000',
        to: 'created_at + option.expires_after_s * 1e6',
      },
    ],
  },
  'a-reminder-that-is-repeated': {
    caughtBy: 'unpaid is told once',
    needs: { reportsAfterS: 150 },
    edits: [
      {
        file: 'relay/ledger/rules.ts',
        from: 'const settled = { ...intent, unpaid_due_at: null };',
        to: 'const settled = { ...intent, unpaid_due_at: now + 60_000 };',
      },
    ],
  },
  'a-reminder-without-a-question': {
    caughtBy: 'unpaid is told once',
    // the relay no longer asks about an order when it is paid late, and reports the intent then
    needs: { faults: [], followDays: 0.004, habit: 'late', reportsAfterS: 1200 },
    edits: [
      {
        file: UNPAID,
        from: 'await ask(intent_id).then(',
        to: 'await Promise.resolve().then(',
      },
      {
        file: UNPAID,
        from: 'isAsked && orders.every(isAnsweredSince(before, ledgerClock.now()))',
        to: 'isAsked',
      },
    ],
  },
  'a-claim-that-no-history-has': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: HISTORY,
        from: '...(after.sending !== before?.sending && { sending: after.sending }),',
        to: '',
      },
    ],
  },
  'a-status-in-the-history-that-the-service-never-told': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: HISTORY,
        from: '...(status !== undefined && status !== named && { status }),',
        to: '...(status !== undefined && status !== named && { status: status + 1 }),',
      },
    ],
  },
  'a-delivery-that-nobody-took': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: TIMELINE,
        from: 'const last = readAnswers(answers);',
        to: "const last = [{ at: 1, answer: '', delivered: true }, ...readAnswers(answers)];",
      },
    ],
  },
  'a-signal-that-is-not-counted': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: 'relay/orders/polling/query-order.ts',
        from: 'const signals = signalCounts.take(request_id);',
        to: 'const signals = signalCounts.take(`another ${request_id}`);',
      },
    ],
  },
  'a-signal-that-is-counted-twice': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: 'relay/webhooks/incoming-signal.ts',
        from: '{ first: at, last: at, count: 1 }',
        to: '{ first: at, last: at, count: 2 }',
      },
    ],
  },
  'a-decision-that-is-not-shown': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: TIMELINE,
        from: '...intent.resolutions.map(',
        to: '...intent.resolutions.slice(1).map(',
      },
    ],
  },
};
