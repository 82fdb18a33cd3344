/** Deliberate bugs that the simulation must catch, as edits of a copy of the relay's source. */
import type { RelayMutant } from './relay-mutant.js';
import { tellingMutants } from './telling-mutants.js';
import { untestedMutants } from './untested-mutants.js';

const SEND_PAY = 'relay/orders/send-pay.ts';
const DELIVER = 'relay/webhooks/deliver.ts';
const READ_ANSWER = 'relay/orders/read-answer.ts';

export const relayMutants: Readonly<Record<string, RelayMutant>> = {
  // pages share one intent when their attempts begin with the same character
  'crossed-identities': {
    caughtBy: 'told as asked',
    edits: [
      {
        file: 'relay/intent/identity.ts',
        from: "await derive('attempt', attempt)",
        to: "await derive('attempt', attempt.slice(0, 1))",
      },
    ],
  },
  'wall-clock-in-the-budget': {
    caughtBy: 'nobody waits',
    needs: { faults: ['clock_step'] },
    edits: [
      {
        file: 'relay/app.ts',
        from: 'createTokenBucket(perSecond, clock.elapsed)',
        to: 'createTokenBucket(perSecond, clock.now)',
      },
    ],
  },
  'blind-resend-after-a-freeze': {
    caughtBy: 'pay is sent once',
    needs: { faults: ['freeze'], relays: 3, resends: true },
    edits: [
      {
        file: SEND_PAY,
        from: 'clock.elapsed() - began > MAX_CLAIM_WRITE_MS',
        to: 'clock.elapsed() - began > 1e9 * MAX_CLAIM_WRITE_MS',
      },
      {
        file: SEND_PAY,
        from: 'clock.elapsed() - began >= config.service.timeout_ms',
        to: 'clock.elapsed() - began >= 1e9 * config.service.timeout_ms',
      },
      {
        file: 'relay/orders/order-state.ts',
        from: '>= claimMs + resendAfterS * 1000',
        to: '>= claimMs * 0 + resendAfterS',
      },
    ],
  },
  'an-event-waits-for-another': {
    caughtBy: 'nobody waits',
    edits: [
      { file: DELIVER, from: 'const MAX_SLOTS = 20;', to: 'const MAX_SLOTS = 1;' },
      { file: DELIVER, from: 'const MAX_SLOT_MS = 250;', to: 'const MAX_SLOT_MS = 3_600_000;' },
      {
        file: DELIVER,
        from: 'const TIMEOUT_MS = 10 * SECOND_MS;',
        to: 'const TIMEOUT_MS = 10 * MINUTE_MS;',
      },
    ],
  },
  'a-review-heals-by-itself': {
    caughtBy: 'decision stands',
    edits: [
      {
        file: READ_ANSWER,
        from: "  if (order.outcome === 'review') return { ...accepted, ...storedEchoes(order) };\n",
        to: '',
      },
    ],
  },
  'a-lost-pay-counts-as-unsent': {
    caughtBy: 'pay is sent once',
    edits: [
      {
        file: SEND_PAY,
        from: "outcome_unknown: 'pay_lost',",
        to: "outcome_unknown: 'pay_unsent',",
      },
    ],
  },
  // the service may have the order, and the customer's next pay sends it again
  'an-unreadable-answer-counts-as-unsent': {
    caughtBy: 'pay is sent once',
    edits: [{ file: SEND_PAY, from: "unreadable: 'pay_lost',", to: "unreadable: 'pay_unsent'," }],
  },
  'an-unchecked-echo': {
    caughtBy: 'success is told',
    edits: [
      {
        file: READ_ANSWER,
        from: '  if (mismatch) return review(accepted, mismatch);',
        to: '  if (mismatch === null && echoes === null) return accepted;',
      },
    ],
  },
  'a-claim-that-a-power-cut-loses': {
    caughtBy: 'success is told',
    needs: { faults: ['power_cut'] },
    edits: [
      {
        file: 'relay/ledger/sqlite/sqlite-ledger.ts',
        from: 'durable.write(() => changeIntent(',
        to: 'relaxed.write(() => changeIntent(',
      },
    ],
  },
  'events-without-numbers': {
    caughtBy: 'success is told',
    edits: [
      {
        file: 'relay/ledger/rules.ts',
        from: 'event_count: intent.event_count + events.length',
        to: 'event_count: intent.event_count',
      },
    ],
  },
  'a-restore-that-asks-nobody': {
    caughtBy: 'pay is sent once',
    needs: { faults: ['restore'] },
    edits: [
      {
        file: 'relay/orders/restored/restored.ts',
        from: '!!restoredAt && mayLackOrders(context, restoredAt, madeAt)',
        to: 'false',
      },
    ],
  },
  'an-event-noted-before-it-is-sent': {
    caughtBy: 'timeline is true',
    edits: [
      {
        file: DELIVER,
        from: '    const { answer, delivered } = await post(deps, event);',
        to:
          '    await ledger.recordDelivery(event, { deliveredAt: ledgerClock.now() });\n' +
          '    const { answer, delivered } = await post(deps, event);',
      },
    ],
  },
  'any-key-opens-any-order': {
    caughtBy: 'told as asked',
    edits: [
      {
        file: 'relay/orders/capabilities.ts',
        from: '`${purpose}:${requestId}`',
        to: '`${purpose}:${requestId.slice(0, 0)}`',
      },
    ],
  },
  'a-late-payment-told-as-success': {
    caughtBy: 'closed stays closed',
    edits: [
      {
        file: 'relay/webhooks/shop-event.ts',
        from: "closedAt === null ? 'order.succeeded' : 'order.late_payment'",
        to: "closedAt === null ? 'order.succeeded' : 'order.succeeded'",
      },
    ],
  },
  'a-closed-intent-that-takes-orders': {
    caughtBy: 'closed stays closed',
    edits: [
      {
        file: 'relay/orders/decide.ts',
        from: 'if (intent && intent.closed_at !== null)',
        to: 'if (intent && intent.closed_at === -1)',
      },
      {
        file: 'relay/ledger/rules.ts',
        from: 'paid_request_id === null && closed_at === null',
        to: 'paid_request_id === null',
      },
    ],
  },
  'a-cursor-that-outlives-a-restore': {
    caughtBy: 'shop catches up',
    needs: { faults: ['restore'] },
    edits: [
      {
        file: 'relay/routes/lists.ts',
        from: 'return ofEpoch === epoch',
        to: "return ofEpoch !== ''",
      },
    ],
  },
  'a-lost-order-of-a-paid-intent': {
    caughtBy: 'no order is lost',
    needs: { faults: ['restore'], habit: 'switch' },
    edits: [
      {
        file: 'relay/orders/restored/restored.ts',
        from: 'return addLost(intent, last);',
        to: 'return false;',
      },
    ],
  },
  // the service's signals say of every order that it is paid
  'a-signal-whose-body-is-believed': {
    caughtBy: 'success is told',
    edits: [
      {
        file: 'relay/routes/routes.ts',
        from: '    await receiveSignal(capability);\n',
        to: `    await receiveSignal(capability);
    const [, id = '', mac = ''] = /^(.+)\\.([^.]+\\.[^.]+)$/.exec(capability) ?? [];
    const known = await context.capabilities.verify('notify', id, mac);
    const found = known ? await context.ledger.find(id) : null;
    if (found)
      await c.req.json().then(({ status }: { status: number }) =>
        context.ledger.change(found.order.intent_id, (intent) => intent && ({
          intent: { ...intent, orders: intent.orders.map((order) => ({
            ...order,
            ...(order.request_id === id && {
              status,
              outcome: status === 20 ? 'succeeded' : 'pending',
              version: order.version + 1,
            }),
          })) },
        })),
      ).catch(() => false);
`,
      },
    ],
  },
  // two relays that read the same version of an order both write it
  'a-write-over-a-newer-version': {
    caughtBy: 'success is told',
    edits: [
      {
        file: 'relay/ledger/sqlite/change-intent.ts',
        from: 'case when intents.version = $1 then',
        to: 'case when intents.version >= $1 then',
      },
      {
        file: 'relay/ledger/sqlite/change-intent.ts',
        from: 'columns.version === known.version',
        to: '(columns.version ?? 0) >= (known.version ?? 0)',
      },
    ],
  },
  ...tellingMutants,
  ...untestedMutants,
};
