/** The fields of an order that a page and the shop's backend read. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import type { Order } from '../../../../relay/contract/order.js';
import type { Context } from '../../../../relay/orders/context.js';
import { project as projectFound, projectForBackend } from '../../../../relay/orders/projection.js';
import { systemClock } from '../../../../relay/runtime.js';
import { encode } from '../../support/merchant-codes.js';
import { fresh, freshIntent } from './fresh-order.js';
import { createParts } from './parts.js';
import { closeIntent, replaceOrder } from '../../support/ledger-calls.js';
import { asNew } from '../../../../relay/ledger/rules.js';

/** Projects an order in its intent as the ledger has it. */
async function project(context: Context, order: OrderRow): Promise<Order> {
  const stored = (await context.ledger.intent(order.intent_id)) ?? asNew(freshIntent);
  const others = stored.orders.filter(({ request_id }) => request_id !== order.request_id);
  const orders = [...others, order].sort((one, another) => one.ordinal - another.ordinal);
  return projectFound(context, { intent: { ...stored, orders }, order });
}

const HOUR_MS = 3_600_000;
const DISPUTED = { outcome: 'failed', review_reason: 'paid_before_answer' } as const;
const AT = '2027-01-15T08:00:00.000Z';

describe('project', () => {
  it('shows the fields that a page needs, and no column that only the relay uses', async () => {
    const { add, context } = await createParts();
    const order = await add({ next_action: { kind: 'wait' }, order_no: 'P1', checked_at: 0 });
    const { version, ...shown } = await project(context, order);
    assert.ok(Number.isSafeInteger(version), `version ${version}`);
    assert.deepEqual(shown, {
      intent_id: 'i1',
      request_id: 'r1',
      order_no: 'P1',
      option: 'qr',
      amount: '12.50',
      currency: 'USD',
      status: 11,
      outcome: 'pending',
      next_action: { kind: 'wait' },
      open_amount: false,
      late: false,
      order_key: await context.capabilities.mint('order', 'r1'),
      closed: false,
      other_payable: false,
      created_at: AT,
      checked_at: '1970-01-01T00:00:00.000Z',
      server_time: AT,
    });
  });

  it('sends expires_at, and checked_at null when the order was never checked', async () => {
    const { add, context } = await createParts();
    const shown = await project(context, await add({ expires_at: 1000 }));
    assert.deepEqual([shown.checked_at, shown.expires_at], [null, '1970-01-01T00:00:01.000Z']);
  });

  it('says when an order expired, and lets it stay so after a step of the clock', async () => {
    const { add, clock, context } = await createParts();
    const created_at = clock.now();
    const made = { created_at, aged_from: created_at, expires_at: created_at + 900_000 };
    const { expires_at = '', server_time } = await project(
      context,
      await add({ ...made, has_expired: true }),
    );
    assert.equal(Date.parse(expires_at) - created_at, 900_000);
    assert.equal(server_time, expires_at);
  });

  it('lets an order expire on time when the clock was set back', async () => {
    let wall = 1_800_000_000_000;
    let elapsed = 0;
    const clock = { ...systemClock, now: () => wall, elapsed: () => elapsed };
    const { add, context } = await createParts();
    const ledgerClock = createLedgerClock(context.ledger, clock, () => {});
    await ledgerClock.read();
    const order = await add({ created_at: wall, expires_at: wall + 5000 });
    const left = async (): Promise<number> => {
      const { expires_at = '', server_time } = await project({ ...context, ledgerClock }, order);
      return Date.parse(expires_at) - Date.parse(server_time);
    };
    wall -= 5 * HOUR_MS;
    await ledgerClock.read();
    const pass = (ms: number): void => {
      wall += ms;
      elapsed += ms;
    };
    pass(4000);
    const ms = await left();
    assert.ok(ms >= 1000 && ms <= 1400, `${ms} ms left`);
    // the clock is still three hours before the time at which the order was made
    pass(2 * HOUR_MS);
    assert.ok((await left()) < 0);
  });

  it('withholds a link whose host was taken out of the configuration', async () => {
    const { add, context } = await createParts({ links: { hosts: ['pay.example'] } });
    const link = (host: string) =>
      ({ kind: 'open_page', checkout_url: `https://${host}/1` }) as const;
    const old = await project(context, await add({ next_action: link('old.example') }));
    assert.deepEqual([old.outcome, old.next_action], ['pending', { kind: 'wait' }]);
    const kept = await project(context, { ...fresh, next_action: link('pay.example') });
    assert.deepEqual([kept.outcome, kept.next_action], ['pending', link('pay.example')]);
  });

  it('shows no way to pay when a later order of the intent was sent', async () => {
    const { add, context } = await createParts();
    const next_action = { kind: 'scan_qr', qrcode_string: 'https://qr.example/1' } as const;
    const order = await add({ next_action });
    const look = async () => {
      const { next_action: shown, replaced } = await project(context, order);
      return [shown, replaced];
    };
    assert.deepEqual(await look(), [next_action, undefined]);
    const later = await add({ request_id: 'r2', ordinal: 2, sending: 'unsent' });
    assert.deepEqual(await look(), [next_action, undefined]);
    await replaceOrder(context.ledger, { ...later, version: 2, sending: 'claimed' });
    assert.deepEqual(await look(), [null, true]);
    const paid = await project(context, { ...order, outcome: 'succeeded' });
    assert.equal(paid.replaced, undefined);
  });

  it('shows an order as failed when it was not sent', async () => {
    const { add, context } = await createParts();
    assert.equal((await project(context, await add({ sending: 'unsent' }))).outcome, 'failed');
  });

  it('shows no way to pay when the shop closed the intent', async () => {
    const { add, context } = await createParts();
    await add();
    const order = await add({ request_id: 'r2', ordinal: 2, next_action: { kind: 'wait' } });
    assert.equal((await project(context, order)).other_payable, true);
    await closeIntent(context.ledger, (await context.ledger.intent('i1'))!, {
      at: 1,
      reason: null,
    });
    const { closed, next_action, other_payable } = await project(context, order);
    assert.deepEqual([closed, next_action, other_payable], [true, null, false]);
  });

  for (const outcome of ['succeeded', 'failed', 'review', 'unmapped'] as const)
    it(`shows no way to pay when the order's outcome is ${outcome}`, async () => {
      const { add, context } = await createParts();
      const next_action = { kind: 'scan_qr', qrcode_string: 'https://qr.example/1' } as const;
      const shown = await project(context, await add({ outcome, next_action }));
      assert.deepEqual([shown.outcome, shown.next_action], [outcome, null]);
    });

  for (const [what, other, expected] of [
    ['pending', { outcome: 'pending' }, true],
    ['confirming', { outcome: 'confirming' }, true],
    ['unmapped', { outcome: 'unmapped' }, true],
    ['in review', { outcome: 'review' }, true],
    ['failed', { outcome: 'failed' }, false],
    ['expired', { outcome: 'expired' }, false],
    ['never sent', { sending: 'unsent' }, false],
  ] as const)
    it(`sends other_payable ${expected} when the intent’s earlier order is ${what}`, async () => {
      const { add, context } = await createParts();
      await add(other);
      const shown = await project(context, await add({ request_id: 'r2', ordinal: 2 }));
      assert.deepEqual([shown.other_payable, 'paid_by' in shown], [expected, false]);
    });

  it('names the order that paid the intent, unless the shown order is paid itself', async () => {
    const { add, context } = await createParts();
    const first = await add({ outcome: 'succeeded' });
    const second = await add({ request_id: 'r2', ordinal: 2 });
    assert.equal((await project(context, second)).paid_by, 'r1');
    assert.equal('paid_by' in (await project(context, first)), false);
    const paid: OrderRow = { ...second, outcome: 'succeeded' };
    assert.equal('paid_by' in (await project(context, paid)), false);
  });

  it('names no order that is to be paid back as the one that paid the intent', async () => {
    const { add, context } = await createParts();
    const first = await add({ outcome: 'succeeded', resolved_as: 'failed' });
    const next_action = { kind: 'wait' } as const;
    const second = await project(context, await add({ request_id: 'r2', ordinal: 2, next_action }));
    assert.deepEqual(
      ['paid_by' in second, second.replaced, second.next_action],
      [false, true, null],
    );
    assert.equal('replaced' in (await project(context, first)), false);
  });

  for (const [what, reviewed] of [
    ['in review', { outcome: 'review', review_reason: 'amount_mismatch' }],
    ['called paid after a person called it failed', DISPUTED],
  ] satisfies [string, Partial<OrderRow>][])
    it(`sends pages to an earlier order that is paid and ${what}`, async () => {
      const { add, context } = await createParts();
      const earlier = await add({ ...reviewed, status: 20 });
      const later = await add({ request_id: 'r2', ordinal: 2, next_action: { kind: 'wait' } });
      const { next_action, outcome, replaced } = await project(context, later);
      assert.deepEqual([outcome, next_action, replaced], ['pending', null, true]);
      const shown = await project(context, earlier);
      assert.deepEqual([shown.outcome, 'replaced' in shown], ['review', false]);
    });

  it('shows no way to pay when an earlier order of the intent is paid', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'succeeded' });
    const order = await add({ request_id: 'r2', ordinal: 2, next_action: { kind: 'wait' } });
    assert.equal((await project(context, order)).next_action, null);
  });

  it('names the payee of the code, unless the code is withheld', async () => {
    const { add, context } = await createParts();
    const qrcode_string = encode([
      ['00', '01'],
      ['53', '840'],
      ['54', '12.50'],
      ['59', 'BEAN AND LEAF LLC'],
    ]);
    const payee = 'BEAN AND LEAF LLC';
    const order = await add({ next_action: { kind: 'scan_qr', qrcode_string }, payee });
    assert.equal((await project(context, order)).payee, payee);
    assert.equal('payee' in (await project(context, { ...order, outcome: 'succeeded' })), false);
  });

  it('calls an order of the future expired only when clocks cannot differ so far', async () => {
    const { add, clock, context } = await createParts();
    const order = await add();
    const serverTime = async (aheadMs: number): Promise<number> => {
      const created_at = clock.now() + aheadMs;
      const made = { ...order, created_at, aged_from: created_at };
      made.expires_at = created_at + 1000;
      return Date.parse((await project(context, made)).server_time) - clock.now();
    };
    assert.deepEqual([await serverTime(5000), await serverTime(5001)], [5000, 6001]);
  });

  it('sends code_opens only when the answer has the code', async () => {
    const { add, context } = await createParts({ links: { hosts: ['qr.example'] } });
    const next_action = { kind: 'scan_qr', qrcode_string: 'https://qr.example/1' } as const;
    const order = await add({ next_action });
    assert.equal((await project(context, order)).code_opens, true);
    await add({ request_id: 'r2', ordinal: 2, outcome: 'succeeded' });
    const hidden = await project(context, order);
    assert.deepEqual([hidden.next_action, hidden.code_opens], [null, undefined]);
  });
});

describe('projectForBackend', () => {
  it('adds the purchase and the reason of the review when the shop’s backend asks', async () => {
    const { add, context } = await createParts();
    const order = await add({ outcome: 'review', review_reason: 'by_table' });
    const intent = (await context.ledger.intent('i1'))!;
    assert.deepEqual(await projectForBackend(context, { intent, order }), {
      ...(await project(context, order)),
      mode: 'open',
      product_name: 'A tree',
      customer_ref_id: 'c',
      livemode: false,
      review_reason: 'by_table',
    });
  });

  it('has the outcome that a person decided while the service contradicts it', async () => {
    const { add, context } = await createParts();
    const order = await add({ ...DISPUTED, status: 20 });
    const intent = (await context.ledger.intent('i1'))!;
    const { outcome, review_reason } = await projectForBackend(context, { intent, order });
    assert.deepEqual([outcome, review_reason], ['failed', 'paid_before_answer']);
  });

  it('says whether another order of the intent may still be paid', async () => {
    const { add, context } = await createParts();
    const order = await add();
    const otherPayable = async (): Promise<boolean> => {
      const intent = (await context.ledger.intent('i1'))!;
      return (await projectForBackend(context, { intent, order })).other_payable;
    };
    assert.equal(await otherPayable(), false);
    await add({ request_id: 'r2', ordinal: 2 });
    assert.equal(await otherPayable(), true);
  });
});
