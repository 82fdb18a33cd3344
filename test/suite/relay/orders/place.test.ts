/** Placing an order: an intent has one current order, and the relay sends one pay for it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../relay/contract/failure.js';
import { contentDigest } from '../../../../relay/intent/order-intent.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import { createLedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { unknownIntent, type IntentRow, type OrderRow } from '../../../../relay/ledger/rows.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { newIntent, type IdentifiedIntent } from '../../../../relay/orders/new-order.js';
import { claimMs, readOrder } from '../../../../relay/orders/order-store.js';
import { offerOf, type OptionSwitch } from '../../../../relay/orders/option-switches.js';
import { createPlace, type PlaceRequest } from '../../../../relay/orders/place.js';
import type { Intent, OrderInIntent } from '../../../../relay/ledger/intent.js';
import { asNew } from '../../../../relay/ledger/rules.js';
import type { Restored } from '../../../../relay/orders/restored/restored.js';
import { openIntent, testConfig } from '../../support/world.js';
import { createParts, refusing, unanswered, type Parts } from './parts.js';
import {
  addLostOrder,
  beforeChanges,
  closeIntent,
  findOrder,
  ordersOf,
  purgeUnsent,
  replaceOrder,
} from '../../support/ledger-calls.js';
import { fresh, freshIntent, ref } from './fresh-order.js';

type Placing = Parts & {
  intent: IdentifiedIntent;
  place(request?: Partial<PlaceRequest>, intent?: Partial<IdentifiedIntent>): Promise<OrderRow>;
  /** Does the same, and returns the intent too. */
  placed(request?: Partial<PlaceRequest>): Promise<OrderInIntent>;
  /** The request_ids of the orders that were queried at once. */
  queriedNow: string[];
  /** The functions for a restored ledger: they find nothing unless a test replaces them. */
  restored: { -readonly [K in keyof Restored]: Restored[K] };
};

async function placing(timeout_ms = 400, unpaid_after_s?: number): Promise<Placing> {
  const shop_events = {
    url: 'https://shop.example/hooks',
    secret: { env: 'SECRET' },
    unpaid_after_s,
  };
  const service = { ...testConfig.service, timeout_ms };
  const parts = await createParts({ service, shop_events });
  const { context, store } = parts;
  const intent = { ...(await readIntent(context.config, openIntent, 'i1')), intent_id: 'i1' };
  const queriedNow: string[] = [];
  const restored: Placing['restored'] = {
    adopt: async () => null,
    adoptUnsent: async () => null,
    adoptSuccessors: async () => false,
    adoptBeforeShown: async () => {},
    refuseLost: async () => {},
    refuseLostIntent: async () => {},
    knowsIntent: async () => false,
    closeLost: async () => 'unknown',
    asksFirst: async () => false,
    isAwaiting: async () => false,
    epoch: async () => null,
    unlessRestored: (claim) => claim,
    refresh: async () => {},
  };
  const queryNow = async ({ request_id }: OrderRow): Promise<OrderInIntent> => {
    queriedNow.push(request_id);
    return readOrder(context.ledger, request_id);
  };
  const place = createPlace(context, {
    store,
    restored,
    queryNow,
  });
  return {
    ...parts,
    intent,
    queriedNow,
    restored,
    place: async (request = {}, change = {}) => {
      const { order } = await place({ ...intent, ...change }, { option: 'card', ...request });
      return order;
    },
    placed: (request = {}) => place(intent, { option: 'card', ...request }),
  };
}
/** Code and field of a refusal. */
const refused = (error: unknown): unknown => {
  assert.ok(error instanceof Failure, String(error));
  return [error.code, error.field];
};
const keyOf = async ({ context }: Parts, { request_id }: OrderRow) => ({
  request_id,
  order_key: await context.capabilities.mint('order', request_id),
});
const unreachable = async (): Promise<never> => {
  throw new OrderServiceError('unreachable', 'no route');
};

describe('a pay', () => {
  it('returns the intent as it is after the pay', async () => {
    const parts = await placing();
    const { intent, order } = await parts.placed();
    assert.deepEqual(intent, await parts.context.ledger.intent('i1'));
    const replaces = await keyOf(parts, order);
    const replaced = await parts.placed({ option: 'qr', replaces });
    assert.deepEqual(replaced.intent, await parts.context.ledger.intent('i1'));
    assert.equal(replaced.intent.orders.length, 2);
  });

  it('returns an intent that was closed during the pay as closed', async () => {
    const parts = await placing();
    const { context, service } = parts;
    service.pay = async ({ request_id }) => {
      const intent = await context.ledger.intent('i1');
      assert.ok(intent);
      await closeIntent(context.ledger, intent, { at: 1, reason: null });
      return { status: 11, request_id };
    };
    assert.equal((await parts.placed()).intent.closed_at, 1);
  });

  it('sends the terms of the intent, and the URL for webhook signals', async () => {
    const parts = await placing();
    const customer = { phone: '+1 555 0100' };
    const intent = { remark: 'r', return_url: 'https://shop.example/t', pay_currency: 'USDT' };
    const order = await parts.place({ option: 'qr', customer }, intent);
    const [sent] = parts.pays;
    const notify = await parts.context.capabilities.mint('notify', order.request_id);
    assert.deepEqual(sent, {
      request_id: order.request_id,
      payment_method: 'direct',
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'web-i1',
      notify_url: `https://shop.example/pay/v1/notify/${order.request_id}.${notify}`,
      pay_currency: 'USDT',
      remark: 'r',
      return_url: 'https://shop.example/t',
      payment_type: 'qrcode',
      payment_channel: 'sbp_qr',
      customer,
    });
    assert.deepEqual([order.sending, order.had_customer, order.order_no], ['answered', true, 'P1']);
  });

  it('claims for the whole time of its request when the steps before it take long', async () => {
    const parts = await placing();
    const { clock, context } = parts;
    const { mint } = context.capabilities;
    Object.assign(context.capabilities, {
      mint: async (...args: Parameters<typeof mint>) => {
        await clock.advance(60_000);
        return mint(...args);
      },
    });
    let claimEndsInMs = 0;
    parts.service.pay = async ({ request_id }) => {
      const order = await findOrder(context.ledger, request_id);
      claimEndsInMs = (order?.next_check_at ?? 0) - clock.now();
      return { status: 11, request_id };
    };
    await parts.place();
    assert.equal(claimEndsInMs, claimMs(context));
  });

  it('omits absent fields, and sends the pay_currency of the option', async () => {
    const parts = await placing();
    await parts.place({ option: 'chain', customer: {} });
    const { customer, pay_currency, remark, return_url } = parts.pays[0]!;
    assert.deepEqual(
      [customer, pay_currency, remark, return_url],
      [undefined, 'USDT', undefined, undefined],
    );
  });

  it('shows an order whose option was switched off, and lets no other use it', async () => {
    const parts = await placing();
    const first = await parts.place();
    const off: OptionSwitch = { off: true, by: 'Ann', at: 0, earlier: [] };
    const offer = offerOf(parts.context.config, new Map([['card', off]]));
    Object.assign(parts.context, { offer: () => offer });
    for (const option of ['card', 'nothing'])
      assert.deepEqual(await parts.place({ option }), first);
    const replaces = await keyOf(parts, first);
    for (const request of [{ replaces }, { option: 'asks', replaces }]) {
      const code = request.option ? 'customer_data_required' : 'option_unknown';
      await assert.rejects(parts.place(request), { code });
    }
    const answer = { status: 20, request_id: first.request_id };
    const paid = { type: 'query_answered', at: parts.clock.now(), answer } as const;
    await parts.store.apply(first, paid);
    assert.equal((await parts.place()).outcome, 'succeeded');
    assert.equal(parts.pays.length, 1);
  });

  it('does not send an unsent order by an option that does not exist', async () => {
    const parts = await placing();
    const { pay } = parts.service;
    parts.service.pay = unreachable;
    await assert.rejects(parts.place(), { code: 'service_unreachable' });
    parts.service.pay = pay;
    parts.pays.length = 0;
    await assert.rejects(parts.place({ option: 'nothing' }), { code: 'option_unknown' });
    assert.deepEqual(parts.pays, []);
    assert.equal((await parts.place()).sending, 'answered');
  });

  it('sends one pay for the same intent, at once or later, whatever the option', async () => {
    const parts = await placing();
    const [one, two] = await Promise.all([parts.place(), parts.place({ option: 'qr' })]);
    const later = await parts.place({ option: 'qr' });
    assert.equal(parts.pays.length, 1);
    assert.deepEqual(
      [two.request_id, later.request_id, later.option],
      [one.request_id, one.request_id, 'card'],
    );
  });

  it('places the intent for one request while another option of it is being refused', async () => {
    const parts = await placing();
    const requests = [{ option: 'nothing' }, { option: 'asks' }, {}, {}];
    const results = await Promise.allSettled(requests.map((request) => parts.place(request)));
    const [unknown, asked, ...placed] = results;
    assert.deepEqual([unknown?.status, asked?.status], ['rejected', 'rejected']);
    assert.deepEqual(
      placed.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    assert.equal(parts.pays.length, 1);
  });

  it('refuses other content of the same intent, while and after it is placed', async () => {
    const parts = await placing();
    const other = { identity_fields: ['other'] };
    const first = parts.place();
    assert.deepEqual(await parts.place({}, other).catch(refused), ['intent_conflict', undefined]);
    await first;
    assert.deepEqual(await parts.place({}, other).catch(refused), ['intent_conflict', undefined]);
    assert.equal(parts.pays.length, 1);
  });

  it('makes the report as unpaid due by the aging time when the clock has stepped', async () => {
    const parts = await placing(400, 600);
    const { ledgerClock } = parts.context;
    const reached = ledgerClock.now();
    ledgerClock.now = () => reached - 7_200_000;
    ledgerClock.agingNow = () => reached;
    await parts.place();
    assert.equal((await parts.context.ledger.intent('i1'))!.unpaid_due_at, reached + 600_000);
  });

  it('stores no time of a report as unpaid when none is configured', async () => {
    const claimedDue = async (parts: Placing): Promise<unknown> => {
      await parts.place();
      return (await parts.context.ledger.intent('i1'))?.unpaid_due_at;
    };
    assert.equal(await claimedDue(await placing()), null);
    const parts = await placing();
    const config = { ...parts.context.config, shop_events: undefined };
    Object.assign(parts.context, { config });
    assert.equal(await claimedDue(parts), null);
  });

  it('refuses an order that charges another amount than the customer has seen', async () => {
    const parts = await placing();
    const expect = { amount: '13', currency: 'USD' };
    const refusal = ['not_as_expected', 'amount'];
    assert.deepEqual(await parts.place({ expect }).catch(refused), refusal);
    assert.equal(await parts.context.ledger.intent('i1'), null);
    const order = await parts.place();
    assert.deepEqual(await parts.place({ expect }).catch(refused), refusal);
    const answer = { status: 20, request_id: order.request_id };
    const at = parts.clock.now();
    await parts.store.apply(order, { type: 'query_answered', at, answer });
    assert.equal((await parts.place({ expect })).outcome, 'succeeded');
  });

  it('asks whether the page may open an intent only when the intent is new', async () => {
    const parts = await placing();
    const refuse = async (): Promise<void> => {
      throw new Failure('rate_limited', 'too many');
    };
    assert.deepEqual(await parts.place({ admit: refuse }).catch(refused), [
      'rate_limited',
      undefined,
    ]);
    assert.equal(await parts.context.ledger.intent('i1'), null);
    const order = await parts.place();
    await parts.place({ admit: refuse });
    await parts.place({ admit: refuse, replaces: await keyOf(parts, order) });
    assert.equal(parts.pays.length, 2);
  });

  it('refuses a pay when the intent was closed before its content was known', async () => {
    const parts = await placing();
    const closed = { ...unknownIntent('i1', 1), closed_at: null };
    await closeIntent(parts.context.ledger, closed, { at: 1, reason: null });
    assert.deepEqual(await parts.place().catch(refused), ['intent_closed', undefined]);
  });

  it('refuses a pay when a close finds the lost orders of its intent meanwhile', async () => {
    const parts = await placing();
    const { ledger } = parts.context;
    const closed: IntentRow = { ...unknownIntent('i1', 1), closed_at: 1 };
    parts.restored.adopt = async ({ order }) => {
      await addLostOrder(ledger, order, closed);
      return ledger.intent('i1');
    };
    assert.deepEqual(await parts.place().catch(refused), ['intent_closed', undefined]);
    assert.equal(parts.pays.length, 0);
  });

  it('rejects when the relay has a fault, and keeps the claim', async () => {
    const parts = await placing();
    parts.service.pay = async () => {
      throw new TypeError('a fault');
    };
    await assert.rejects(parts.place(), /^TypeError: a fault$/);
    assert.equal((await ordersOf(parts.context.ledger, 'i1'))[0]?.sending, 'claimed');
  });

  it('places nothing while the breaker is open, and shows an order that exists', async () => {
    const parts = await placing();
    parts.breaker.open = true;
    assert.deepEqual(await parts.place().catch(refused), ['service_unavailable', undefined]);
    assert.equal(await parts.context.ledger.intent('i1'), null);
    parts.breaker.open = false;
    const order = await parts.place();
    parts.breaker.open = true;
    assert.equal((await parts.place()).request_id, order.request_id);
  });
});

describe('a pay that replaces an order', () => {
  it('places the next order when it names the current one with its key', async () => {
    const parts = await placing();
    const first = await parts.place();
    const second = await parts.place({ option: 'qr', replaces: await keyOf(parts, first) });
    assert.notEqual(second.request_id, first.request_id);
    assert.deepEqual([second.ordinal, second.option, parts.pays.length], [2, 'qr', 2]);
    const intent = await parts.context.ledger.intent('i1');
    assert.equal(intent?.current_request_id, second.request_id);
  });

  it('refuses a wrong order_key, and ignores replaces before the first order', async () => {
    const parts = await placing();
    const wrong = { request_id: 'r1', order_key: 'm.x' };
    const first = await parts.place({ replaces: wrong });
    const replaces = { ...wrong, request_id: first.request_id };
    assert.deepEqual(await parts.place({ replaces }).catch(refused), ['order_unknown', 'replaces']);
    assert.equal(parts.pays.length, 1);
  });

  it('refuses to replace an order of another intent, because it would stay payable', async () => {
    const parts = await placing();
    const first = await parts.place();
    const replaces = await keyOf(parts, first);
    const another = { ...parts.intent, intent_id: 'i2' };
    const refusal = ['order_unknown', 'replaces'];
    assert.deepEqual(await parts.place({ replaces }, another).catch(refused), refusal);
    await parts.place({}, another);
    assert.deepEqual(await parts.place({ replaces }, another).catch(refused), refusal);
    assert.equal(parts.pays.length, 2);
  });

  it('refuses a replacement when the intent is paid', async () => {
    const parts = await placing();
    const first = await parts.place();
    const answer = { status: 20, request_id: first.request_id };
    const at = parts.clock.now();
    await parts.store.apply(first, { type: 'query_answered', at, answer });
    const replaces = await keyOf(parts, first);
    assert.deepEqual(await parts.place({ replaces }).catch(refused), ['already_paid', 'replaces']);
  });

  it('refuses a replacement when a payment comes between decision and claim', async () => {
    const parts = await placing();
    const first = await parts.place();
    const { ledger } = parts.context;
    const pays = async (): Promise<void> => {
      const answer = { status: 20, request_id: first.request_id };
      const at = parts.clock.now();
      await parts.store.apply(first, { type: 'query_answered', at, answer });
    };
    Object.assign(ledger, beforeChanges({ ...ledger }, 'claims', pays));
    const replaces = await keyOf(parts, first);
    assert.deepEqual(await parts.place({ replaces }).catch(refused), ['already_paid', 'replaces']);
    assert.equal(parts.pays.length, 1);
  });

  it('shows an order in review that the service calls paid, and sends no other', async () => {
    const parts = await placing();
    const first = await parts.place();
    const replaces = await keyOf(parts, first);
    const at = parts.clock.now();
    const answers = async (status: number): Promise<void> => {
      const answer = { status, request_id: first.request_id, order_amount: '1.00' };
      await parts.store.apply(first, { type: 'query_answered', at, answer });
    };
    await answers(20);
    const { outcome, request_id } = await parts.place({ option: 'qr', replaces });
    assert.deepEqual([outcome, request_id], ['review', first.request_id]);
    assert.equal(parts.pays.length, 1);
    await answers(30);
    assert.equal((await parts.place({ option: 'qr', replaces })).ordinal, 2);
  });
});

describe('a pay by a pay link', () => {
  const payLinkId = `pl_${'a'.repeat(16)}`;
  const payLink = { pay_link_id: payLinkId, created_at: 1 };
  const ofLink = { intent_id: `${payLinkId}-${'b'.repeat(26)}` };
  const linked = async (): Promise<Placing> => {
    const parts = await placing();
    const now = parts.clock.now();
    await parts.context.ledger.addPayLink({
      pay_link_id: payLinkId,
      token_digest: '',
      terms: '{}',
      uses: 2,
      used: 0,
      created_at: now,
      expires_at: now + 1000,
      revoked_at: null,
      revoked_by: null,
      erased_at: null,
      erased_by: null,
    });
    return parts;
  };
  const usedOf = async ({ context }: Placing): Promise<number | undefined> =>
    (await context.ledger.payLink(''))?.used;

  it('takes a use of the link', async () => {
    const parts = await linked();
    await parts.place({ payLink }, ofLink);
    assert.equal(await usedOf(parts), 1);
  });

  it('places nothing when the link has expired by the claim', async () => {
    const parts = await linked();
    await parts.clock.advance(1000);
    const refusal = await parts.place({ payLink }, ofLink).catch(refused);
    assert.deepEqual(refusal, ['intent_closed', undefined]);
    assert.deepEqual(parts.pays, []);
  });

  it('gives the use back when nothing was sent, and takes it again', async () => {
    const parts = await linked();
    parts.service.pay = unreachable;
    await parts.place({ payLink }, ofLink).catch(refused);
    assert.equal(await usedOf(parts), 0);
    parts.service.pay = async () => ({ status: 11 });
    await parts.place({ payLink }, ofLink);
    assert.equal(await usedOf(parts), 1);
  });

  it('sends no unsent order again when the link has expired or is revoked', async () => {
    for (const end of ['expires', 'is revoked'] as const) {
      const parts = await linked();
      parts.service.pay = unreachable;
      await parts.place({ payLink }, ofLink).catch(refused);
      if (end === 'expires') await parts.clock.advance(1000);
      else await parts.context.ledger.revokePayLink(payLinkId, 1);
      const sent = parts.pays.length;
      const refusal = await parts.place({ payLink }, ofLink).catch(refused);
      assert.deepEqual(refusal, ['intent_closed', undefined], end);
      assert.equal(parts.pays.length, sent);
    }
  });
});

it('dates the report of an unpaid intent before the aging time is read', async () => {
  const parts = await placing(400, 60);
  const { clock, ledger, ledgerClock } = parts.context;
  Object.assign(
    ledgerClock,
    createLedgerClock(ledger, clock, () => {}),
  );
  await parts.place();
  const intent = await ledger.intent('i1');
  assert.equal(intent?.unpaid_due_at, parts.clock.now() + 60_000);
});

describe('a pay that could not be sent', () => {
  it('answers service_unreachable when nothing was sent, and keeps the request_id', async () => {
    const parts = await placing();
    parts.service.pay = unreachable;
    const failed = await parts.place().catch(refused);
    assert.deepEqual(failed, ['service_unreachable', undefined]);
    const unsent = await ordersOf(parts.context.ledger, 'i1');
    assert.deepEqual(
      unsent.map(({ sending }) => sending),
      ['unsent'],
    );
    parts.service.pay = async () => ({ status: 11 });
    const order = await parts.place({ option: 'qr' });
    assert.deepEqual(
      [order.request_id, order.sending, order.option, order.ordinal],
      [unsent[0]?.request_id, 'answered', 'qr', 1],
    );
  });

  it('writes nothing when the connection failed before the claim', async () => {
    const parts = await placing();
    const { service } = parts.context;
    Object.assign(service, { preparePay: unreachable });
    assert.deepEqual(await parts.place().catch(refused), ['service_unreachable', undefined]);
    assert.equal(await parts.context.ledger.intent('i1'), null);
    const [level, event, { claimed, kind }] = parts.lines[0]!;
    assert.deepEqual([level, event, claimed, kind], ['warn', 'pay', false, 'unreachable']);
  });

  it('sends no pay when the claim took longer than two seconds to write', async () => {
    const parts = await placing(10_000);
    const { ledger } = parts.context;
    let slownessMs = 2001;
    const slow = (): Promise<void> => parts.clock.advance(slownessMs);
    Object.assign(ledger, beforeChanges({ ...ledger }, 'claims', slow));
    assert.deepEqual(await parts.place().catch(refused), ['service_unavailable', undefined]);
    assert.deepEqual(parts.pays, []);
    const { base_url, reason } = parts.lines[0]![2];
    assert.deepEqual(
      [base_url, reason],
      [undefined, 'the ledger took too long to write the claim'],
    );
    slownessMs = 399;
    assert.equal((await parts.place()).sending, 'answered');
  });

  it('sends no pay when the process was frozen from the claim to its deadline', async () => {
    const parts = await placing();
    const { ledger } = parts.context;
    const freeze = (): Promise<void> => parts.clock.advance(400);
    Object.assign(ledger, beforeChanges({ ...ledger }, 'claims', freeze));
    assert.deepEqual(await parts.place().catch(refused), ['service_unreachable', undefined]);
    assert.deepEqual(parts.pays, []);
  });

  it('answers service_unavailable when the ledger cannot be written', async () => {
    const parts = await placing();
    parts.context.ledger.change = async () => {
      throw new LedgerBusyError('locked');
    };
    assert.deepEqual(await parts.place().catch(refused), ['service_unavailable', undefined]);
    assert.deepEqual([parts.pays, parts.lines], [[], []]);
  });
});

describe('a pay whose answer is not known', () => {
  it('queries an order at once when its answer is lost, and does not resend it', async () => {
    const parts = await placing();
    parts.service.pay = unanswered;
    const order = await parts.place();
    assert.deepEqual([order.outcome, order.sending], ['confirming', 'lost']);
    assert.deepEqual(parts.queriedNow, [order.request_id]);
    assert.equal((await parts.place()).request_id, order.request_id);
    assert.equal(parts.pays.length, 1);
    const [level, event, fields] = parts.lines[0]!;
    assert.deepEqual([level, event, fields.kind], ['warn', 'pay', 'outcome_unknown']);
  });

  it('queries an order at once when the service refused it', async () => {
    const parts = await placing();
    parts.service.pay = refusing('123');
    const order = await parts.place();
    assert.deepEqual([order.sending, parts.queriedNow], ['refused', [order.request_id]]);
    assert.equal(parts.lines[0]?.[2].code, '123');
  });

  it('keeps the claim when the answer cannot be written', async () => {
    const parts = await placing();
    const { ledger } = parts.context;
    const fail = (): never => {
      throw new Error('the disk is full');
    };
    Object.assign(ledger, beforeChanges({ ...ledger }, 'others', fail));
    await assert.rejects(parts.place(), /the disk is full/);
    const [order] = await ordersOf(parts.context.ledger, 'i1');
    assert.equal(order?.sending, 'claimed');
    const fields = {
      intent_id: 'i1',
      request_id: order?.request_id,
      change: 'pay_answered',
      error: 'Error: the disk is full',
    };
    assert.deepEqual(parts.lines, [['error', 'pay', fields]]);
  });
});

describe('two relays that place the same intent', () => {
  /** Makes another relay claim between this relay's decision and its claim. */
  const overtaken = async (
    claimFirst: (parts: Placing) => Promise<unknown>,
    prepare: (parts: Placing) => Promise<unknown> = async () => {},
  ): Promise<Placing> => {
    const parts = await placing();
    await prepare(parts);
    const { ledger } = parts.context;
    let isFirst = true;
    const claimOnce = async (): Promise<void> => {
      const claims = isFirst;
      isFirst = false;
      if (claims) await claimFirst(parts);
    };
    Object.assign(ledger, beforeChanges({ ...ledger }, 'claims', claimOnce));
    return parts;
  };
  const other = async (parts: Placing, change: Partial<OrderRow> = {}): Promise<unknown> =>
    parts.add({ request_id: 'r-other', ...change }, { content: await contentDigest(parts.intent) });

  it('shows the order of the relay that claimed first', async () => {
    const parts = await overtaken(other);
    assert.equal((await parts.place()).request_id, 'r-other');
    assert.deepEqual(parts.pays, []);
  });

  it('shows the other relay’s order when it is paid, or replaced the same order', async () => {
    const paid = await overtaken(async (both) => {
      await other(both);
      const answer = { status: 20, request_id: 'r-other' };
      const at = both.clock.now();
      await both.store.apply(ref('r-other'), { type: 'query_answered', at, answer });
    });
    assert.equal((await paid.place()).outcome, 'succeeded');
    let first: OrderRow | undefined;
    const replaced = await overtaken(
      (both) => other(both, { ordinal: 2 }),
      async (both) => {
        first = await both.place();
      },
    );
    const replaces = await keyOf(replaced, first!);
    assert.equal((await replaced.place({ replaces })).request_id, 'r-other');
  });

  it('shows the unsent order when the other relay has sent it again', async () => {
    const parts = await overtaken(
      async ({ context }) => {
        const [unsent] = await ordersOf(context.ledger, 'i1');
        await replaceOrder(context.ledger, { ...unsent!, sending: 'answered', version: 3 });
      },
      async (both) => {
        both.service.pay = unreachable;
        await both.place().catch(refused);
      },
    );
    assert.deepEqual([(await parts.place()).sending, parts.pays.length], ['answered', 1]);
  });

  it('places at the next try an unsent order that was deleted before its claim', async () => {
    const parts = await overtaken(
      async ({ clock, context }) =>
        assert.equal(await purgeUnsent(context.ledger, clock.now() + 1, 1), 1),
      async (both) => {
        const { pay } = both.service;
        both.service.pay = unreachable;
        await both.place().catch(refused);
        both.service.pay = pay;
      },
    );
    const sent = parts.pays.length;
    assert.deepEqual(await parts.place().catch(refused), ['service_unavailable', undefined]);
    assert.equal(parts.pays.length, sent);
    assert.equal((await parts.place()).sending, 'answered');
  });

  it('shows no order of another relay when that order was not sent', async () => {
    const parts = await overtaken((both) => other(both, { sending: 'unsent' }));
    assert.deepEqual(await parts.place().catch(refused), ['service_unreachable', undefined]);
  });

  it('refuses other content when another relay claimed first', async () => {
    const parts = await overtaken((both) => both.add({ request_id: 'r-other' }));
    assert.deepEqual(await parts.place().catch(refused), ['intent_conflict', undefined]);
    assert.deepEqual(parts.pays, []);
  });

  it('places nothing when the shop closes the intent before the claim', async () => {
    const close = async ({ context, intent }: Placing): Promise<unknown> =>
      closeIntent(context.ledger, await newIntent(intent, 1, null), { at: 1, reason: null });
    const parts = await overtaken(close);
    assert.deepEqual(await parts.place().catch(refused), ['intent_closed', undefined]);
    const again = await overtaken(close, async (both) => {
      both.service.pay = unreachable;
      await both.place().catch(refused);
    });
    assert.deepEqual(await again.place().catch(refused), ['intent_closed', undefined]);
  });
});

describe('a pay of an expired token', () => {
  it('shows the order of an expired token, and opens no new one', async () => {
    const parts = await placing();
    const expired = { expired: true };
    assert.deepEqual(await parts.place({}, expired).catch(refused), [
      'token_expired',
      'order_token',
    ]);
    const order = await parts.place();
    assert.equal((await parts.place({}, expired)).request_id, order.request_id);
    const replaces = await keyOf(parts, order);
    assert.deepEqual(await parts.place({ replaces }, expired).catch(refused), [
      'token_expired',
      'order_token',
    ]);
  });
});

describe('a pay after a restore', () => {
  /** The intent with an order that the ledger had lost. */
  const lostIn = async ({ intent }: Placing): Promise<Intent> => ({
    ...asNew({ ...freshIntent, content: await contentDigest(intent) }),
    orders: [{ ...fresh, request_id: 'r-lost', sending: 'lost' }],
  });

  it('looks for lost orders of a restored ledger before it decides', async () => {
    const parts = await placing();
    const looked: string[] = [];
    parts.restored.adoptBeforeShown = async (intentId) => void looked.push(intentId);
    await parts.place();
    await parts.place({}, { expired: true });
    assert.deepEqual(looked, ['i1', 'i1']);
  });

  it('shows a lost order that the service knows, and sends nothing', async () => {
    const parts = await placing();
    parts.restored.adopt = () => lostIn(parts);
    assert.equal((await parts.place()).request_id, 'r-lost');
    assert.deepEqual(parts.pays, []);
  });

  it('shows an order that the ledger has as unsent when the service has it', async () => {
    const parts = await placing();
    parts.service.pay = unreachable;
    await parts.place().catch(refused);
    parts.restored.adoptUnsent = () => lostIn(parts);
    assert.equal((await parts.place()).request_id, 'r-lost');
    assert.equal(parts.pays.length, 1);
  });
});
