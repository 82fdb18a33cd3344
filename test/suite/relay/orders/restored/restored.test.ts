/** The relay queries and adopts lost orders after its ledger was restored from a backup. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../../../relay/contract/failure.js';
import { orderOf } from '../../../../../relay/ledger/intent.js';
import type { Claim } from '../../../../../relay/ledger/rules.js';
import { unknownIntent, type OrderRow } from '../../../../../relay/ledger/rows.js';
import { MAX_ORDERS, waitForOrderMs } from '../../../../../relay/orders/order-limits.js';
import { fresh, freshIntent, ref } from '../fresh-order.js';
import { refusing, unanswered } from '../parts.js';
import { markRestored } from '../../../support/ledger-calls.js';
import {
  codeOf,
  createRestoredParts,
  DAY_MS,
  ECHOES,
  type RestoredParts,
} from './restored-parts.js';
import {
  claimOrder,
  closeIntent,
  findOrder,
  ordersOf,
  replaceOrder,
  addLostOrder,
  withoutHistory,
} from '../../../support/ledger-calls.js';

/** Of each order that an intent may have. */
const ORDINALS = Array.from({ length: MAX_ORDERS }, (_, index) => index + 1);

const claimOf = (order: Partial<OrderRow> = {}): Claim => ({
  intent: freshIntent,
  order: { ...fresh, ...order },
  after: null,
});

describe('a ledger that was never restored, or was restored two days ago', () => {
  for (const [age, agoMs] of [
    ['unknown', null],
    ['two days old', 2 * DAY_MS],
  ] as const)
    it(`queries nothing when the restore is ${age}`, async () => {
      const { queried, restored, add } = await createRestoredParts(agoMs);
      assert.equal(await restored.adopt(claimOf({ request_id: 'r9' }), 1), null);
      const order = await add({ sending: 'unsent' });
      assert.equal(await restored.adoptUnsent(order), null);
      assert.equal(await restored.adoptSuccessors('i1'), false);
      await restored.adoptBeforeShown('i1');
      await restored.refuseLost('r9');
      await restored.refuseLostIntent('i9');
      const refuse = async (): Promise<void> => assert.fail('nothing is asked');
      assert.equal(await restored.knowsIntent('i9', 1, refuse), false);
      assert.equal(await restored.closeLost(unknownIntent('i9', 0)), 'unknown');
      assert.deepEqual(queried, []);
    });

  it('queries during two days after the restore, once it has read the restore time', async () => {
    const { queried, restored } = await createRestoredParts(2 * DAY_MS - 1);
    await restored.refuseLost('r9');
    assert.deepEqual(queried, ['r9']);
    const later = await createRestoredParts(null);
    await later.restored.refuseLost('r9');
    await markRestored(later.context.ledger, later.clock.now());
    await later.restored.refuseLost('r9');
    assert.deepEqual(later.queried, []);
    await later.restored.refresh();
    await later.restored.refuseLost('r9');
    assert.deepEqual(later.queried, ['r9']);
  });

  it('names no new epoch before it knows when the ledger was restored', async () => {
    const { clock, context, restored } = await createRestoredParts(null);
    const { ledger } = context;
    const before = await restored.epoch();
    await markRestored(ledger, clock.now());
    await ledger.writeSetting('epoch', 'of the restore');
    const { setting } = ledger;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const begun = new Promise<void>((resolve) => {
      ledger.setting = async (name) => {
        if (name === 'restored_at') {
          resolve();
          await held;
        }
        return setting(name);
      };
    });
    const refreshed = restored.refresh();
    await begun;
    assert.deepEqual([await restored.epoch(), await restored.asksFirst()], [before, false]);
    goOn();
    await refreshed;
    assert.deepEqual(
      [await restored.epoch(), await restored.asksFirst()],
      ['of the restore', true],
    );
  });
});

describe('an order that a restored ledger lacks', () => {
  it('adopts a missing order as lost when the service knows it', async () => {
    const { clock, context, known, restored } = await createRestoredParts();
    known.set('r1', 11);
    const order = orderOf(await restored.adopt(claimOf(), 1), 'r1');
    assert.deepEqual(await findOrder(context.ledger, 'r1'), order);
    assert.deepEqual(
      [order?.sending, order?.outcome, order?.had_customer, order?.lost_at, order?.next_action],
      ['lost', 'confirming', true, clock.now(), { kind: 'wait' }],
    );
  });

  it('lets a pay be sent when the service knows no order and no replacement', async () => {
    const { context, idOf, queried, restored } = await createRestoredParts();
    assert.equal(await restored.adopt(claimOf(), 1), null);
    const replacements = await Promise.all(ORDINALS.slice(1).map((ordinal) => idOf(ordinal)));
    assert.deepEqual(queried.sort(), ['r1', ...replacements].sort());
    assert.equal(await context.ledger.intent('i1'), null);
  });

  it('adopts an order with its replacements, and makes the last the current one', async () => {
    const { context, idOf, known, restored } = await createRestoredParts();
    const [second, fourth] = [await idOf(2), await idOf(4)];
    for (const id of ['r1', second, fourth]) known.set(id, 30);
    assert.equal((await restored.adopt(claimOf(), 1))?.current_request_id, fourth);
    const orders = await ordersOf(context.ledger, 'i1');
    assert.deepEqual(
      orders.map(({ late, ordinal, request_id }) => [request_id, ordinal, late]),
      [
        ['r1', 1, false],
        [second, 2, false],
        [fourth, 4, false],
      ],
    );
    assert.equal((await context.ledger.intent('i1'))?.current_request_id, fourth);
  });

  it('adopts twenty orders, and the intent then takes no further one', async () => {
    const { context, idOf, known, restored } = await createRestoredParts(0, ECHOES);
    for (const ordinal of ORDINALS.slice(1)) known.set(await idOf(ordinal), 40);
    await restored.adopt(claimOf(), 1);
    const orders = await ordersOf(context.ledger, 'i1');
    assert.deepEqual(
      orders.map(({ ordinal, outcome }) => [ordinal, outcome]),
      ORDINALS.slice(1).map((ordinal) => [ordinal, 'expired']),
    );
    assert.equal(waitForOrderMs(orders, context.ledgerClock.ageOf), Infinity);
  });

  it('applies to an adopted order its own answer, and not its replacement’s', async () => {
    const { idOf, known, restored, service } = await createRestoredParts();
    const second = await idOf(2);
    known.set('r1', 11).set(second, 11);
    const query = service.query;
    service.query = async (request) => ({
      ...(await query(request)),
      order_no: `of ${request.request_id}`,
      ...ECHOES,
    });
    assert.equal(orderOf(await restored.adopt(claimOf(), 1), 'r1')?.order_no, 'of r1');
  });

  it('returns another relay’s order when that relay has claimed since', async () => {
    const { add, known, restored } = await createRestoredParts();
    const other = await add({ request_id: 'r-other' });
    known.set('r1', 20);
    assert.deepEqual((await restored.adopt(claimOf(), 1))?.orders, [other]);
  });

  it('refuses to place an order while the service gives no usable answer', async () => {
    const { restored, service } = await createRestoredParts();
    for (const answer of [unanswered, refusing('500')]) {
      service.query = answer;
      await assert.rejects(restored.adopt(claimOf(), 1), {
        code: 'service_unavailable',
        message: /^the order service does not say .*; nothing was changed$/,
      });
    }
    service.query = async () => {
      throw new TypeError('a fault');
    };
    await assert.rejects(restored.adopt(claimOf(), 1), TypeError);
  });

  it('refuses to call an order unknown when the service knows it', async () => {
    const { known, lines, restored } = await createRestoredParts();
    known.set('r1', 11);
    assert.equal(await restored.refuseLost('r1').catch(codeOf), 'service_unavailable');
    const message = 'the ledger was restored and lacks an order that the order service knows';
    assert.deepEqual(lines, [
      ['error', 'restored', { intent_id: null, request_id: 'r1', message }],
    ]);
    await restored.refuseLost('r2');
  });

  it('queries lost orders under each mode and ordinal that the intent may have had', async () => {
    for (const [intentId, modes] of [
      ['jti-one-1', ['token']],
      ['web.one', ['catalogue', 'open']],
    ] as const) {
      const { context, queried, restored } = await createRestoredParts();
      await restored.refuseLostIntent(intentId);
      const ids = modes.flatMap((mode) =>
        ORDINALS.map((ordinal) => context.identity.requestId(mode, intentId, ordinal)),
      );
      assert.deepEqual(queried, await Promise.all(ids));
    }
  });
});

describe('an order that was unsent in the backup', () => {
  it('adopts an unsent order when the service knows it, and else leaves it unsent', async () => {
    const { add, context, known, restored } = await createRestoredParts();
    const unsent = await add({ sending: 'unsent' });
    assert.equal(await restored.adoptUnsent(unsent), null);
    assert.equal((await findOrder(context.ledger, 'r1'))?.sending, 'unsent');
    known.set('r1', 11);
    assert.equal(orderOf(await restored.adoptUnsent(unsent), 'r1')?.sending, 'lost');
  });

  it('leaves an unsent order to another relay that has claimed it since', async () => {
    const { add, context, known, restored } = await createRestoredParts();
    const unsent = await add({ sending: 'unsent' });
    const claimed: OrderRow = { ...unsent, sending: 'claimed', version: 2 };
    await replaceOrder(context.ledger, claimed);
    known.set('r1', 11);
    const { orders } = (await restored.adoptUnsent(unsent)) ?? { orders: [] };
    assert.deepEqual(orders.map(withoutHistory), [withoutHistory(claimed)]);
  });
});

describe('the replacements that a restored ledger lacks', () => {
  it('adopts a replacement with the last order’s option, and no other field of it', async () => {
    const { add, context, idOf, known, restored } = await createRestoredParts();
    const third = await idOf(3);
    known.set(third, 11);
    await add({ ordinal: 2, late: true, option: 'card', order_no: 'P1', expires_at: 5 });
    assert.equal(await restored.adoptSuccessors('i1'), true);
    const order = await findOrder(context.ledger, third);
    assert.deepEqual(
      [order?.ordinal, order?.option, order?.late, order?.order_no, order?.expires_at],
      [3, 'card', false, null, null],
    );
    assert.equal((await context.ledger.intent('i1'))?.current_request_id, third);
  });

  it('changes nothing when the service knows no replacement', async () => {
    const { add, restored } = await createRestoredParts();
    await add();
    assert.equal(await restored.adoptSuccessors('i1'), false);
  });

  it('adopts an unsent order that was sent later, and queries no sent order', async () => {
    const { add, known, queried, restored } = await createRestoredParts();
    await add({ sending: 'unsent' });
    assert.equal(await restored.adoptSuccessors('i1'), false);
    known.set('r1', 11);
    assert.equal(await restored.adoptSuccessors('i1'), true);
    queried.length = 0;
    const { queried: queriedOther, ...other } = await createRestoredParts();
    await other.add();
    await other.restored.adoptSuccessors('i1');
    assert.equal(queriedOther.includes('r1'), false);
  });

  it('asks again only about those without an answer, once no request can be late', async () => {
    const { add, clock, context, restored, service } = await createRestoredParts(60_000);
    await add();
    let asked = 0;
    service.query = () => (++asked === 10 ? unanswered() : refusing('4040')());
    assert.equal(await restored.adoptSuccessors('i1').catch(codeOf), 'service_unavailable');
    const first = asked;
    assert.equal(await restored.adoptSuccessors('i1'), false);
    assert.equal(asked, first + 1);
    // a newer restore counts anew
    await markRestored(context.ledger, clock.now());
    await restored.refresh();
    for (const searches of [1, 2]) {
      assert.equal(await restored.adoptSuccessors('i1'), false);
      assert.equal(asked, first + 1 + searches * (MAX_ORDERS - 1));
    }
  });

  it('asks for no replacements when the intent is unknown', async () => {
    const { queried, restored } = await createRestoredParts();
    assert.equal(await restored.adoptSuccessors('i1'), false);
    assert.deepEqual(queried, []);
  });
});

describe('an intent that takes no more orders, in a restored ledger', () => {
  const closedIntent = async () => {
    const parts = await createRestoredParts(0, ECHOES);
    const order = await parts.add();
    const { ledger } = parts.context;
    await closeIntent(ledger, (await ledger.intent('i1'))!, { at: 1, reason: null });
    return { ...parts, order };
  };
  const outcomesOf = async ({ context }: RestoredParts): Promise<unknown> =>
    (await ordersOf(context.ledger, 'i1')).map(({ ordinal, outcome }) => [ordinal, outcome]);

  it('adds a closed intent’s lost orders once, and keeps its current order', async () => {
    const parts = await closedIntent();
    const { clock, context, idOf, known, restored } = parts;
    const lost = await idOf(2);
    known.set(lost, 20);
    assert.equal(await restored.adoptSuccessors('i1'), true);
    const added = await findOrder(context.ledger, lost);
    assert.deepEqual(
      [added?.ordinal, added?.lost_at, added?.outcome],
      [2, clock.now(), 'succeeded'],
    );
    assert.equal((await context.ledger.intent('i1'))?.current_request_id, 'r1');
  });

  it('leaves a closed intent’s order to another relay that has added it since', async () => {
    const { add: _, context, idOf, known, order, restored } = await closedIntent();
    const lost = await idOf(2);
    known.set(lost, 20);
    const { change } = context.ledger;
    const others = { ...order, request_id: lost, ordinal: 2 };
    context.ledger.change = async (...args) => {
      await addLostOrder({ change }, others);
      return change(...args);
    };
    assert.equal(await restored.adoptSuccessors('i1'), true);
    assert.deepEqual(
      withoutHistory((await findOrder(context.ledger, lost))!),
      withoutHistory(others),
    );
  });

  it('adds the lost, second payment of a paid intent', async () => {
    const parts = await createRestoredParts(0, ECHOES);
    const { add, clock, idOf, known, restored, store } = parts;
    await add();
    const answer = { status: 20, request_id: 'r1' };
    await store.apply(ref('r1'), { type: 'query_answered', at: clock.now(), answer });
    known.set(await idOf(2), 20);
    assert.equal(await restored.adoptSuccessors('i1'), true);
    assert.deepEqual(await outcomesOf(parts), [
      [1, 'succeeded'],
      [2, 'succeeded'],
    ]);
  });

  it('changes nothing when the service knows no further order of a closed intent', async () => {
    const { queried, restored } = await closedIntent();
    assert.equal(await restored.adoptSuccessors('i1'), false);
    assert.equal(queried.length, MAX_ORDERS - 1);
  });

  it('follows the lost order of an intent that was closed before its first order', async () => {
    const parts = await createRestoredParts(0, ECHOES);
    const { context, idOf, known, restored } = parts;
    const row = unknownIntent('i1', 0);
    await closeIntent(context.ledger, row, { at: 1, reason: null });
    known.set(await idOf(1, 'i1', 'token'), 30);
    assert.equal(await restored.adoptSuccessors('i1'), true);
    assert.deepEqual(await outcomesOf(parts), [[1, 'failed']]);
  });

  it('warns, and does not fail, while the service gives no answer', async () => {
    const { lines, restored, service } = await closedIntent();
    service.query = unanswered;
    assert.equal(await restored.adoptSuccessors('i1'), false);
    const [level, event, { intent_id, message }] = lines[0]!;
    assert.deepEqual([level, event, intent_id], ['warn', 'restored', 'i1']);
    assert.match(String(message), /does not say whether it knows the order/);
    service.query = async () => {
      throw new TypeError('a fault');
    };
    await assert.rejects(restored.adoptSuccessors('i1'), TypeError);
  });

  it('asks for no replacements when an open intent has no order', async () => {
    const { context, queried, restored } = await createRestoredParts(0, ECHOES);
    // the claim of another order than the current one writes the intent alone
    await claimOrder(context.ledger, { intent: freshIntent, order: fresh, after: 'r9' });
    assert.equal(await restored.adoptSuccessors('i1'), false);
    assert.deepEqual(queried, []);
  });
});

describe('the question whether the service knows an intent', () => {
  const admit = async (): Promise<void> => {};

  it('finds an intent by any order that it may have had, and writes nothing', async () => {
    const { context, idOf, known, restored } = await createRestoredParts(0, ECHOES);
    assert.equal(await restored.knowsIntent('i1', 1, admit), false);
    known.set(await idOf(3, 'i1', 'token'), 11);
    assert.equal(await restored.knowsIntent('i1', 1, admit), true);
    assert.equal(await context.ledger.intent('i1'), null);
  });

  it('asks the service nothing when the page may not ask', async () => {
    const { queried, restored } = await createRestoredParts(0, ECHOES);
    const refuse = async (): Promise<void> => {
      throw new Failure('rate_limited', 'too many');
    };
    assert.equal(await restored.knowsIntent('i1', 1, refuse).catch(codeOf), 'rate_limited');
    assert.deepEqual(queried, []);
  });
});
