/** Faults that a proof or a test must detect; each changes a copy of the product's source. */
export type Edit = { file: string; from: string; to: string };
export type Mutant = { proof: string; edits: readonly Edit[] };
/** `only`: a pattern of test names, for a file whose other tests take long. */
export type TestMutant = { test: string; only?: string; edits: readonly Edit[] };

const RULES = 'relay/ledger/rules.ts';

/** Faults that a test must detect: once no test detected them, or only a proof that is retired. */
export const testMutants: Readonly<Record<string, TestMutant>> = {
  'paid-not-shown': {
    test: 'test/suite/relay/orders/decide.test.ts',
    edits: [
      {
        file: 'relay/orders/decide.ts',
        from: "  if (intent && standing) return { do: 'show', intent, order: standing };\n",
        to: '',
      },
    ],
  },
  'one-capability': {
    test: 'test/suite/relay/orders/capabilities.test.ts',
    edits: [
      {
        file: 'relay/orders/capabilities.ts',
        from: '`${purpose}:${requestId}`',
        to: '`${purpose.slice(0, 0)}:${requestId}`',
      },
    ],
  },
  'any-quantity': {
    test: 'test/suite/relay/intent/content.test.ts',
    edits: [
      {
        file: 'relay/intent/read-intent.ts',
        from: 'identity_fields: [sku, quantity, customer_ref_id]',
        to: 'identity_fields: [sku, customer_ref_id]',
      },
    ],
  },
  'claim-of-a-paid-intent': {
    test: 'test/suite/relay/ledger/ledger.process.test.ts',
    only: 'refuses a claim of a paid intent',
    edits: [
      {
        file: RULES,
        from: 'paid_request_id === null && closed_at === null',
        to: 'closed_at === null',
      },
    ],
  },
  'first-payment-overwritten': {
    test: 'test/suite/relay/ledger/ledger.process.test.ts',
    only: 'refuses a claim of a paid intent',
    edits: [
      {
        file: RULES,
        from: 'intent.paid_request_id ?? paidBy',
        to: 'paidBy ?? intent.paid_request_id',
      },
    ],
  },
  'no-claim': {
    test: 'test/suite/relay/ledger/ledger.process.test.ts',
    only: 'accepts one of many concurrent claims',
    edits: [
      {
        file: RULES,
        from: 'if (!isSame || !takesOrders(intent)) return null;',
        to: '',
      },
    ],
  },
  'handled-by-each-delivery': {
    test: 'test/suite/widget/shop/once.process.test.ts',
    only: 'sqlite: handles|returns the order that was expected',
    edits: [
      {
        file: 'widget/shop/receive-events.ts',
        from: 'intent_id, epoch, sequence }))) return;',
        to: 'intent_id, epoch, sequence })))\n      await Promise.resolve();',
      },
    ],
  },
  'event-without-transaction': {
    test: 'test/suite/widget/shop/once.process.test.ts',
    only: 'sqlite: handles|returns the order that was expected',
    edits: [
      {
        file: 'widget/shop/sqlite-store.ts',
        from: "        database.exec('begin immediate');\n",
        to: '',
      },
      {
        file: 'widget/shop/sqlite-store.ts',
        from: "          database.exec('commit');\n",
        to: '',
      },
    ],
  },
  'confirming-as-failed': {
    test: 'test/suite/widget/checkout/flow.test.ts',
    edits: [
      {
        file: 'widget/checkout/flow.ts',
        from: 'phase: order.outcome, offer, order',
        to: "phase: order.outcome === 'confirming' ? 'failed' : order.outcome, offer, order",
      },
    ],
  },
  'new-attempt-for-each-pay': {
    test: 'test/suite/widget/pay-checkout/never-lost.browser.test.ts',
    edits: [
      {
        file: 'widget/checkout/checkout.ts',
        from: '        held ??= attempts.current();',
        to: '        held = crypto.randomUUID();',
      },
    ],
  },
};

export const mutants: Readonly<Record<string, Mutant>> = {
  'lost-is-unsent': {
    proof: 'kill',
    edits: [
      {
        file: 'relay/orders/send-pay.ts',
        from: "outcome_unknown: 'pay_lost',",
        to: "outcome_unknown: 'pay_unsent',",
      },
    ],
  },
  'early-resend': {
    proof: 'busy-day',
    edits: [
      {
        file: 'relay/orders/order-state.ts',
        from: '>= claimMs + resendAfterS * 1000',
        to: '>= Math.min(0, claimMs + resendAfterS * 1000)',
      },
    ],
  },
  'resend-at-once': {
    proof: 'busy-day',
    edits: [
      {
        file: 'relay/orders/order-state.ts',
        from: "order.sending !== 'lost' || order.had_customer) return false;",
        to: 'order.had_customer) return false;',
      },
      {
        file: 'relay/orders/order-state.ts',
        from: '>= claimMs + resendAfterS * 1000',
        to: '>= Math.min(0, claimMs + resendAfterS * 1000)',
      },
    ],
  },
  'trust-the-page': {
    proof: 'tamper',
    edits: [
      {
        file: 'relay/intent/read-intent.ts',
        from: '  refuseContradiction(request, claims);\n',
        to: '',
      },
      {
        file: 'relay/intent/read-intent.ts',
        from: '    amount: claims.amount,',
        to: '    amount: request.amount ?? claims.amount,',
      },
      {
        file: 'relay/intent/read-intent.ts',
        from: 'function refuseContradiction',
        to: 'export function refuseContradiction',
      },
    ],
  },
  'no-audience': {
    proof: 'tamper',
    edits: [{ file: 'relay/intent/order-token.ts', from: '      audience: audiences,\n', to: '' }],
  },
  'no-page-prefix': {
    proof: 'tamper',
    edits: [
      {
        file: 'relay/intent/identity.ts',
        from: "intentIdOf: async (attempt) => PAGE_PREFIX + (await derive('attempt', attempt)),",
        to: 'intentIdOf: async (attempt) => attempt,',
      },
    ],
  },
  'expect-ignored': {
    proof: 'tamper',
    edits: [
      {
        file: 'relay/routes/query.ts',
        from: '  if (expect) checkExpected(intent, order, expect);\n',
        to: '',
      },
    ],
  },
  'unproven-success': {
    proof: 'fuzz',
    edits: [
      {
        file: 'relay/orders/read-answer.ts',
        from: 'return unproven ? review(',
        to: 'return unproven && order.version < 0 ? review(',
      },
    ],
  },
  'review-that-ends': {
    proof: 'fuzz',
    edits: [
      {
        file: 'relay/orders/read-answer.ts',
        from: "  if (order.outcome === 'review') return { ...accepted, ...storedEchoes(order) };\n",
        to: '',
      },
    ],
  },
  'unguarded-json': {
    proof: 'fuzz',
    edits: [
      {
        file: 'relay/http/body.ts',
        from: "    throw new Failure('invalid_request', 'the body is not JSON');",
        to: "    throw new Error('not JSON');",
      },
    ],
  },
  'unchecked-echo': {
    proof: 'fuzz',
    edits: [
      {
        file: 'relay/orders/read-answer.ts',
        from: '  if (mismatch) return review(accepted, mismatch);',
        to: '  if (mismatch === null && echoes === null) return accepted;',
      },
    ],
  },
  'no-budget': {
    proof: 'storm',
    edits: [
      {
        file: 'relay/orders/polling/budget.ts',
        from: 'return Math.max(0, Math.ceil(',
        to: 'return Math.min(0, Math.ceil(',
      },
    ],
  },
  'no-breaker': {
    proof: 'outage',
    edits: [
      {
        file: 'relay/order-service/circuit-breaker.ts',
        from: 'const open = silentCalls >= SILENT_CALLS_TO_OPEN;',
        to: 'const open = silentCalls >= 1e9;',
      },
    ],
  },
  'slow-clients-stay': {
    proof: 'slow',
    edits: [
      {
        file: 'relay/node/listener.ts',
        from: 'const MAX_HEAD_MS = 8000;',
        to: 'const MAX_HEAD_MS = 600_000;',
      },
      {
        file: 'relay/node/listener.ts',
        from: 'const MAX_REQUEST_MS = 12_000;',
        to: 'const MAX_REQUEST_MS = 600_000;',
      },
    ],
  },
  'service-message-logged': {
    proof: 'leak',
    edits: [
      {
        file: 'relay/orders/send-pay.ts',
        from: "log('warn', 'pay', {\n      intent_id,",
        to: "log('warn', 'pay', {\n      message: error.serviceMessage,\n      intent_id,",
      },
    ],
  },
  'prefix-guard': {
    proof: 'links',
    edits: [
      {
        file: 'relay/config/links.ts',
        from: '  if (UNSAFE_CHARACTER.test(link)) return false;',
        to: "  if (Date.now() > 0) return !link.startsWith('javascript:');",
      },
      {
        file: 'widget/fragments/external-link.ts',
        from: '  const url = parseUrl(link);',
        to:
          "  if (Date.now() > 0) return !link.startsWith('javascript:');\n" +
          '  const url = parseUrl(link);',
      },
    ],
  },
  'any-checksum': {
    proof: 'code',
    edits: [
      {
        file: 'relay/qrcode/crc16.ts',
        from: 'return code.slice(-4).toLowerCase() === digits;',
        to: "return code.slice(-4).toLowerCase() === digits || digits !== '';",
      },
    ],
  },
  'wrong-code-shown': {
    proof: 'code',
    edits: [
      {
        file: 'relay/orders/read-answer.ts',
        from: "return review({ ...accepted, code_amount: code.codeAmount }, 'code_mismatch');",
        to: "return Date.now() < 0 ? review(accepted, 'code_mismatch') : shown;",
      },
    ],
  },
  'second-amount-ignored': {
    proof: 'code',
    edits: [
      {
        file: 'relay/qrcode/payment-uri.ts',
        from: "if (names.has(name) && !mayRepeat(name)) return 'broken';",
        to: 'if (names.has(name) && name.length >= 0) continue;',
      },
    ],
  },
  'slow-start': {
    proof: 'restart',
    edits: [
      {
        file: 'relay/commands/relay.ts',
        from: '  const config = await readConfigFile(file);',
        to:
          '  await new Promise((resolve) => setTimeout(resolve, 31_000));\n' +
          '  const config = await readConfigFile(file);',
      },
    ],
  },
  'grey-qr-code': {
    proof: 'qr',
    edits: [
      {
        file: 'widget/fragments/qr.ts',
        from: '<path d=${path} filter="url(#dark${width})" />',
        to: '<path d=${path} filter="url(#light${width})" />',
      },
    ],
  },
  'wrong-mask': {
    proof: 'encoder',
    edits: [
      {
        file: 'relay/contract/qr-code.ts',
        from: '(row) => row % 2 === 0,',
        to: '(row) => row % 2 === 1,',
      },
    ],
  },
  'pause-after-claim': {
    proof: 'window',
    edits: [
      {
        file: 'relay/orders/send-pay.ts',
        from: '    const { intent, result } = changed;',
        to:
          '    const { intent, result } = changed;\n' +
          '    await new Promise((resolve) => setTimeout(resolve, 300));',
      },
    ],
  },
  'list-without-end': {
    proof: 'console',
    edits: [
      {
        file: 'relay/operator/list.ts',
        from: '      if (rows.length >= page.limit) return asListed(rows, after);',
        to: '',
      },
    ],
  },
  unindexed: {
    proof: 'age',
    edits: [
      {
        file: 'relay/ledger/tables/schema.ts',
        from: 'on intents (position)',
        to: 'on intents (intent_id, position)',
      },
    ],
  },
  'unsure-claim-sent': {
    proof: 'failover',
    edits: [
      {
        file: 'relay/orders/send-pay.ts',
        from: 'ledger.change(order.intent_id, rule, pay.also);',
        to:
          'ledger.change(order.intent_id, rule, pay.also).catch(() => ({\n' +
          "        result: 'written' as const,\n" +
          '        intent: { ...pay.intent, orders: [order], resolutions: [] },\n' +
          '      }));',
      },
    ],
  },
  'claimed-by-the-former-offer': {
    proof: 'reload',
    edits: [
      {
        file: 'relay/orders/send-pay.ts',
        from: '      checkOffered(context.offer(), order.option);\n',
        to: '',
      },
    ],
  },
  'resend-forgotten': {
    proof: 'catch-up',
    edits: [
      {
        file: 'relay/ledger/tables/events.ts',
        from: 'next_try_at = nullif(next_try_at, $2)',
        to: 'next_try_at = nullif($2, $2)',
      },
    ],
  },
};
